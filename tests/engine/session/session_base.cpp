// The common behaviour of sessions: when backward may run, the message when memory is short, and that no run reads
// weights that were packed before they changed.
#include "support/allocations.hpp"
#include "support/machines.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

using reader = graph<"reader", input<"x", features<3>, steps<4>>, node<"h", lstm<5>, "x">,
                     node<"y", linear<2>, "h">, output<"y">>;
const std::vector<double> numbers{1, -2, 3, 0.5, 0.25, -1, 2, 2, -2, 0.125, 1, 1};
const view<const double> x(numbers.data(), {1, 4, 3}, {12, 3, 1});
const std::vector<std::vector<int>> target{{0, 1, 1, 0}};

constexpr auto too_early =
    "backward: expected a forward pass just before it; each backward needs a forward of its own, after the "
    "last input";

TEST_CASE_TEMPLATE("backward runs once after each forward, on the inputs of that forward", M, oracle,
                   processor) {
  typename M::template parameters<reader> theta(seed{1}), expected(zeros{}), gradients(zeros{});
  const auto untouched = [&] {
    const auto& g = std::as_const(gradients);
    for (int k = 0; k < g.block_size; ++k)
      if (g.data()[k] != 0) return false;
    return true;
  };
  typename M::template differentiation<reader, losses::cross_entropy<"y">, input_gradients> run;
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients), too_early, input_error);
  CHECK_THROWS_WITH_AS(run.first_not_finite(), "first_not_finite: no forward pass has run", input_error);
  set_input<"x">(run, x);
  set_input<"target">(run, target);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients), too_early, input_error);
  run.forward(theta);
  run.backward(theta, expected);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients), too_early, input_error);

  run.forward(theta);
  set_input<"x">(run, x);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients), too_early, input_error);
  run.forward(theta);
  set_input<"target">(run, target);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients), too_early, input_error);
  run.forward(theta);
  run.randomness(seed{1}, 2);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients), too_early, input_error);
  CHECK(untouched());

  run.forward(theta);
  run.forward(theta);
  CHECK(run.first_not_finite().empty());
  CHECK_THROWS_AS(set_input<"target">(run, std::vector<std::vector<int>>{{2}}), input_error);
  run.backward(theta, gradients);  // the refused call has changed nothing
  const auto& g = std::as_const(gradients);
  for (int k = 0; k < g.block_size; ++k) REQUIRE(g.data()[k] == std::as_const(expected).data()[k]);
}

TEST_CASE_TEMPLATE("so does backward with adjoints", M, oracle, processor) {
  typename M::template parameters<reader> theta(seed{1}), gradients(zeros{});
  typename M::template differentiation<reader, void> run;
  const std::vector<double> ones(8, 1);
  const view<const double> dy(ones.data(), {1, 4, 2}, {8, 2, 1}), wrong(ones.data(), {1, 4, 1}, {4, 1, 1});
  set_input<"x">(run, x);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients, dy), too_early, input_error);
  run.forward(theta);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients, wrong),
                       "adjoint of output 'y': expected [1, 4, 2], got [1, 4, 1]", input_error);
  run.backward(theta, gradients, dy);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients, dy), too_early, input_error);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients), too_early, input_error);
  run.forward(theta);
  set_input<"x">(run, x);
  CHECK_THROWS_WITH_AS(run.backward(theta, gradients, dy), too_early, input_error);
  CHECK(double(get<"y.bias">(gradients)(1)) == 4);
}

// Several outputs are a tuple, which cannot be indexed in brackets.
using pair_of_views = engine::all_outputs<view<const float, 2>, view<const float, 3>>;
static_assert(std::tuple_size_v<pair_of_views> == 2);
static_assert(std::is_same_v<std::tuple_element_t<1, pair_of_views>, view<const float, 3>>);
static_assert(std::is_base_of_v<std::tuple<view<const float, 2>, view<const float, 3>>, pair_of_views>);
template <class X>
concept PickedFrom = requires(const X& all) {
  all[0];
};
static_assert(PickedFrom<view<const float, 2>> && !PickedFrom<pair_of_views>);

TEST_CASE("parameters that were moved from are refused by every session") {
  const char* const message =
      "these parameters of graph 'reader' were moved from; assign to them before they are used again";
  parameters<reader> theta(seed{1}), gradients(zeros{});
  inference<reader> run;
  streaming<reader> live;
  differentiation<reader, losses::cross_entropy<"y">> learn;
  set_input<"x">(learn, x);
  set_input<"target">(learn, target);
  run(theta, x);
  live.step(theta, std::vector<double>{1, 2, 3});
  learn.forward(theta);
  const parameters<reader> kept = std::move(theta);  // has the revision that all sessions have packed
  CHECK_THROWS_WITH_AS(run.run(theta), message, input_error);
  CHECK_THROWS_WITH_AS(live.step(theta, std::vector<double>{1, 2, 3}), message, input_error);
  CHECK_THROWS_WITH_AS(learn.backward(theta, gradients), message, input_error);
  CHECK_THROWS_WITH_AS(learn.forward(theta), message, input_error);
  parameters<reader> taken = std::move(gradients);
  learn.forward(kept);
  CHECK_THROWS_WITH_AS(learn.backward(kept, gradients), message, input_error);
}

TEST_CASE("too little memory: the error says how many bytes, and of what") {
  const auto in_parts_of = [](std::size_t bytes, auto make) { without_blocks_of(bytes, [&] { make(); }); };
  using wide = inference<reader, batch<100>>;
  static_assert(wide::workspace_bytes - wide::packed_bytes > 20000);
  const std::string bytes = std::to_string(wide::workspace_bytes - wide::packed_bytes);
  CHECK_THROWS_WITH_AS(
      in_parts_of(20000, [] { wide run; }),
      ("too little memory: " + bytes + " bytes for the workspace of inference of graph 'reader'").c_str(),
      memory_error);
  CHECK_THROWS_WITH_AS(
      in_parts_of(20000, [] { differentiation<reader, losses::cross_entropy<"y">, batch<100>> run; }),
      doctest::Contains(" bytes for the workspace of training of graph 'reader'"), memory_error);
  CHECK_THROWS_WITH_AS(in_parts_of(300, [] { streaming<reader> run; }),
                       doctest::Contains(" bytes for the workspace of streaming of graph 'reader'"),
                       memory_error);
  CHECK_THROWS_WITH_AS(in_parts_of(100, [] { parameters<reader> theta; }),
                       ("too little memory: " + std::to_string(parameters<reader>::block_size * 4) +
                        " bytes for a block of parameters of graph 'reader'")
                           .c_str(),
                       memory_error);
}

// The first output of each kind of session, with these weights.
struct all_sessions {
  inference<reader> run{};
  streaming<reader> live{};
  differentiation<reader, losses::cross_entropy<"y">> learn{};

  std::vector<double> outputs(const parameters<reader>& theta) {
    const std::vector<double> first(numbers.begin(), numbers.begin() + 3);
    std::vector<double> all;
    all.push_back(double(run(theta, x)(0, 3, 1)));
    live.reset();
    live.step(theta, first);
    all.push_back(double(live.step(theta, first)(0, 1)));
    set_input<"x">(learn, x);
    set_input<"target">(learn, target);
    all.push_back(double(learn.forward(theta)));
    return all;
  }
};
TEST_CASE("weights that changed are packed again, in the recurrent product and behind it") {
  parameters<reader> theta(seed{1});
  all_sessions sessions;
  std::vector<double> before = sessions.outputs(theta);
  const auto check = [&] {
    const std::vector<double> got = sessions.outputs(theta);
    CHECK(got == all_sessions{}.outputs(theta));
    for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] != before[k]);
    before = got;
  };
  get<"h.weight_ih_l0">(theta)(3, 1) += 1;
  check();
  get<"h.weight_hh_l0">(theta)(11, 2) += 3;
  check();
  get<"y.weight">(theta)(1, 4) += 1;
  check();
  const parameters<reader> other(seed{2});
  theta = other;
  check();

  streaming<reader> live;  // in the middle of a stream, too
  const std::vector<double> one(3, 1);
  live.step(theta, one);
  live.step(theta, one);
  get<"y.weight">(theta)(0, 0) += 1000;
  const double h = double(live.step(theta, one)(0, 0));
  CHECK(std::abs(h) > 10);
}

// "x" is read only by the caller.
using passing = graph<"passing", input<"x", features<2>, steps<3>>, input<"z", features<2>>,
                      node<"y", linear<1>, "z">, output<"x">, output<"y">>;
TEST_CASE("an input that is an output is needed, and shown as long as its sequences are") {
  const parameters<passing> theta(seed{1});
  inference<passing, batch<2>> run(theta);
  const std::vector<float> sequences{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  set_input<"z">(run, std::vector<float>{1, 2, 3, 4});
  CHECK_THROWS_WITH_AS(run.run(), "input 'x' has not been given", input_error);
  set_input<"x">(run, view<const float>(sequences.data(), {2, 3, 2}), std::vector<int>{3, 1});
  run.run();
  const auto shown = get<"x">(run);
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t j = 0; j < 2; ++j) {
      CHECK(shown(0, t, j) == sequences[t * 2 + j]);
      CHECK(shown(1, t, j) == (t < 1 ? sequences[6 + j] : 0));
    }
}

using together = graph<"together", input<"a", features<1>, steps<3>>, input<"b", features<1>, steps<3>>,
                       node<"y", linear<1>, "a">, node<"z", linear<1>, "b">, output<"y">, output<"z">>;
TEST_CASE("a run that is refused leaves the rows of the last one") {
  const parameters<together> theta(seed{1});
  inference<together, batch<2>> run(theta);
  const std::vector<float> six{1, 2, 3, 4, 5, 6};
  const view<const float> two(six.data(), {2, 3, 1}), one(six.data(), {1, 3, 1});
  set_input<"a">(run, two);
  set_input<"b">(run, two);
  run.run();
  set_input<"a">(run, one, std::vector<int>{3});
  set_input<"b">(run, one, std::vector<int>{2});
  CHECK_THROWS_AS(run.run(), input_error);
  CHECK(run.rows() == 2);
  CHECK(get<"y">(run).shape(0) == 2);
}

}  // namespace tenon::test
