// A learned row that every row of the batch has: values and gradients, as an initial state of several layers and directions, as a query, in a
// stream, and its laws.
#include "tenon/nn/learned_vector.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/engine/session/streaming.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/parameters/copy_by_name.hpp"

#include <array>

namespace tenon::test {
using namespace nn;

using alone = graph<"alone", input<"x", features<2>>, node<"w", learned_vector<3>>, node<"y", linear<3>, "x">,
                    node<"sum", add, "w", "y">, output<"sum">>;
using started =
    graph<"started", input<"x", features<2>, steps<4>>,
          node<"h0", learned_vector<3, initialized<"weight", init::normal()>>>, node<"c0", learned_vector<3>>,
          node<"y", lstm<3>, "x", "h0", "c0">, output<"y">, output<"y.final">>;
using stacked = graph<"stacked", input<"x", features<2>, steps<4>>, node<"h0", learned_vector<3, layers<4>>>,
                      node<"y", gru<3, layers<2>, bidirectional>, "x", "h0">, output<"y">, output<"y.h_n">>;
using given = graph<"given", input<"x", features<2>, steps<4>>, input<"h0", features<3>, layers<4>>,
                    node<"y", gru<3, layers<2>, bidirectional>, "x", "h0">, output<"y">, output<"y.h_n">>;
using queried = graph<"queried", input<"x", features<2>, steps<4>>, node<"q", learned_vector<2>>,
                      node<"y", attention<score::dot>, "q", "x">, output<"y">>;

static_assert(check<alone>() && network_of<stacked>.find_parameter("h0.weight_l3") >= 0);
static_assert(parameters<stacked>::count() == parameters<given>::count() + 4 * 3);

TEST_CASE("the laws") {
  check_laws<alone>();
  check_laws<started>();
  check_laws<stacked>();
  check_laws<queried>();
}
TEST_CASE("it starts at 0, or as its option says") {
  const parameters<started> theta(seed{1});
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(get<"c0.weight">(theta)(k) == 0);
    CHECK(get<"h0.weight">(theta)(k) != 0);
  }
}
// The same as states that are given, each row the same; the gradient is the sum over the rows.
TEST_CASE_TEMPLATE("initial states of layers and directions", M, oracle, processor) {
  using T = typename M::scalar;
  constexpr int rows = 3;
  typename M::template parameters<stacked> theta(seed{2}), gradients(zeros{});
  random_numbers random(5);
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<T>(0.5 * random());
  typename M::template parameters<given> others(zeros{}), other_gradients(zeros{});
  io::copy_by_name(theta, others);
  std::vector<T> h0;
  for (const auto& weight : {get<"h0.weight_l0">(theta), get<"h0.weight_l1">(theta),
                             get<"h0.weight_l2">(theta), get<"h0.weight_l3">(theta)})
    for (int r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < 3; ++k) h0.push_back(weight(k));
  std::vector<T> x;
  for (int k = 0; k < rows * 4 * 2; ++k) x.push_back(static_cast<T>(random()));
  const std::array lengths{4, 0, 2};

  typename M::template differentiation<stacked, void, batch<rows>> learned;
  typename M::template differentiation<given, void, batch<rows>, input_gradients> usual;
  const auto run = [&](auto& session, const auto& p, auto& g) {
    set_input<"x">(session, view<const T>(x.data(), {rows, 4, 2}, {8, 2, 1}), lengths);
    session.forward(p);
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t j = 0; j < 3; ++j)
          output_adjoint<"y.h_n">(session)(k, r, j) = static_cast<T>(1 + k) - static_cast<T>(r * j);
    session.backward(p, g);
  };
  set_input<"h0">(usual, view<const T>(h0.data(), {4, rows, 3}, {rows * 3, 3, 1}));
  run(usual, others, other_gradients);
  run(learned, theta, gradients);
  const double allowed = std::is_same_v<T, double> ? 1e-13 : 1e-6;
  const auto same = [&](T a, T b) { CHECK(std::abs(double(a) - double(b)) < allowed); };
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t j = 0; j < 6; ++j) same(get<"y">(learned)(r, t, j), get<"y">(usual)(r, t, j));
  std::size_t k = 0;
  for (const auto& gradient : {get<"h0.weight_l0">(gradients), get<"h0.weight_l1">(gradients),
                               get<"h0.weight_l2">(gradients), get<"h0.weight_l3">(gradients)}) {
    for (std::size_t j = 0; j < 3; ++j) {
      T sum = 0;
      for (std::size_t r = 0; r < rows; ++r) sum += input_gradient<"h0">(usual)(k, r, j);
      same(gradient(j), sum);
    }
    ++k;
  }
}
TEST_CASE("a stream begins with it") {
  parameters<started> theta(seed{3});
  for (float& v : get<"c0.weight">(theta)) v = 0.5f;
  inference<started> run(theta);
  streaming<started> live(theta);
  const std::vector<std::array<float, 2>> x{{0.1f, 0.2f}, {-0.3f, 0.4f}};
  run(std::array{x});
  for (int time = 0; time < 2; ++time, live.reset())
    for (std::size_t t = 0; t < 2; ++t) {
      live.step(x[t]);
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(get<"y">(live)(0, k) == doctest::Approx(get<"y">(run)(0, t, k)).epsilon(1e-6));
    }
}

}  // namespace tenon::test
