// parameters<G>: names, shapes, how each layer starts, copies, and what a run sees of a change.
#include "tenon/parameters/parameters.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using model =
    graph<"model", input<"t", token<300>, steps<5>>, node<"e", embedding<300, 64, padding_idx<7>>, "t">,
          node<"h", lstm<25, bidirectional>, "e">, node<"y", chain<linear<16>, linear<3, no_bias>>, "h">,
          output<"y">>;

TEST_CASE("names and shapes are PyTorch's") {
  std::vector<std::string> seen;
  parameters<model>().for_each([&](std::string_view path, auto v) {
    std::string line(path);
    for (std::size_t k = 0; k < v.dimension(); ++k) line += " " + std::to_string(v.shape(k));
    seen.push_back(line);
  });
  CHECK(seen == std::vector<std::string>{"e.weight 300 64", "h.weight_ih_l0 100 64", "h.weight_hh_l0 100 25",
                                         "h.bias_ih_l0 100", "h.bias_hh_l0 100",
                                         "h.weight_ih_l0_reverse 100 64", "h.weight_hh_l0_reverse 100 25",
                                         "h.bias_ih_l0_reverse 100", "h.bias_hh_l0_reverse 100",
                                         "y.0.weight 16 50", "y.0.bias 16", "y.1.weight 3 16"});
  static_assert(parameters<model>::count() == 300 * 64 + 2 * (100 * 64 + 100 * 25 + 200) + 16 * 50 + 16 + 48);
  static_assert(parameters<model>::block_size >= parameters<model>::count());
}

struct moments {
  double mean = 0, deviation = 0, least = 0, most = 0;
};
template <class T>
moments of(const view<T>& v) {
  const std::vector<double> x(v.data(), v.data() + v.size());
  moments m{.least = *std::min_element(x.begin(), x.end()), .most = *std::max_element(x.begin(), x.end())};
  for (double a : x) m.mean += a / double(x.size());
  for (double a : x) m.deviation += (a - m.mean) * (a - m.mean) / double(x.size());
  m.deviation = std::sqrt(m.deviation);
  return m;
}

// Uniform in [-bound, bound): values come close to both ends, and the deviation is bound / sqrt 3.
template <class T>
void check_uniform(const view<T>& v, double bound) {
  const moments m = of(v);
  const double n = double(v.size());
  CHECK(m.least >= -bound * 1.000001);
  CHECK(m.most <= bound * 1.000001);
  CHECK(m.most - m.least > 2 * bound * (1 - 8 / n));
  CHECK(std::abs(m.mean) < 3 * bound / std::sqrt(n));
  CHECK(std::abs(m.deviation - bound / std::sqrt(3.0)) < bound / std::sqrt(n));
}

TEST_CASE_TEMPLATE("each layer starts as in PyTorch", T, float, double) {
  const parameters<model, T> theta(seed{1});
  check_uniform(get<"h.weight_ih_l0">(theta), 0.2);  // 1 / sqrt 25
  check_uniform(get<"h.weight_hh_l0_reverse">(theta), 0.2);
  check_uniform(get<"h.bias_hh_l0">(theta), 0.2);
  check_uniform(get<"y.0.weight">(theta), 1 / std::sqrt(50.0));
  check_uniform(get<"y.0.bias">(theta), 1 / std::sqrt(50.0));
  check_uniform(get<"y.1.weight">(theta), 0.25);
  const moments table = of(get<"e.weight">(theta));
  CHECK(std::abs(table.mean) < 3 / std::sqrt(300 * 64.0));
  CHECK(std::abs(table.deviation - 1) < 3 / std::sqrt(300 * 64.0));
  CHECK(table.most > 3);
  CHECK(table.most < 6);
  for (int j = 0; j < 64; ++j) CHECK(get<"e.weight">(theta)(7, j) == 0);
}
TEST_CASE("parameters of one kind do not start alike") {
  const parameters<model> theta(seed{1});
  const auto a = get<"h.weight_ih_l0">(theta), b = get<"h.weight_ih_l0_reverse">(theta);
  int alike = 0;
  for (std::size_t k = 0; k < a.size(); ++k) alike += a.data()[k] == b.data()[k];
  CHECK(alike < 3);
}
TEST_CASE("same seed, same bits; another seed, other numbers; float is double rounded") {
  const parameters<model> a(seed{5}), b(seed{5}), c(seed{6}), zero(zeros{});
  const parameters<model, double> wide(seed{5});
  const auto end = a.data() + parameters<model>::block_size;
  CHECK(std::equal(a.data(), end, b.data()));
  CHECK_FALSE(std::equal(a.data(), end, c.data()));
  CHECK(
      std::all_of(zero.data(), zero.data() + parameters<model>::block_size, [](float x) { return x == 0; }));
  CHECK(std::equal(a.data(), end, wide.data(), [](float x, double y) { return x == static_cast<float>(y); }));
  CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0);
}
TEST_CASE("a copy is a block of its own; its revision tells whether it changed") {
  parameters<model> a(seed{5});
  parameters<model> b = a;
  CHECK(b.revision() == a.revision());  // the same numbers
  get<"y.0.bias">(b)(0) = 9;
  CHECK(b.revision() != a.revision());
  CHECK(get<"y.0.bias">(a)(0) != 9);
  a = b;
  CHECK(get<"y.0.bias">(std::as_const(a))(0) == 9);
  const parameters<model> moved = std::move(a);
  CHECK(get<"y.0.bias">(moved)(0) == 9);
  const auto before = b.revision();
  (void)get<"y.0.bias">(std::as_const(b));
  (void)std::as_const(b).data();
  CHECK(b.revision() == before);  // reading changes nothing
}

TEST_CASE("a block that was moved from is an error wherever it is used, until it is assigned to") {
  parameters<model> a(seed{5});
  const parameters<model> b = std::move(a);
  const auto& read = a;
  const char* const message =
      "these parameters of graph 'model' were moved from; assign to them before they are used again";
  CHECK_THROWS_WITH_AS(get<"y.0.bias">(a), message, input_error);
  CHECK_THROWS_WITH_AS(get<"y.0.bias">(read), message, input_error);
  CHECK_THROWS_WITH_AS(a.data(), message, input_error);
  CHECK_THROWS_WITH_AS(read.data(), message, input_error);
  CHECK_THROWS_WITH_AS(a.set_zero(), message, input_error);
  CHECK_THROWS_WITH_AS(a.initialize(seed{1}), message, input_error);
  CHECK_THROWS_WITH_AS(a.for_each([](auto, auto) {}), message, input_error);
  CHECK_THROWS_WITH_AS(read.for_each([](auto, auto) {}), message, input_error);
  const parameters<model> copy = a;
  CHECK_THROWS_WITH_AS(copy.data(), message, input_error);
  a = b;
  CHECK(read.data()[3] == b.data()[3]);
}

using line = graph<"line", input<"x", features<9>>, node<"y", linear<5>, "x">, output<"y">>;

TEST_CASE("a run sees every change of the parameters it is given") {
  parameters<line> theta(seed{2});
  inference<line> run;
  const std::vector<float> x{1, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto first = [&](const parameters<line>& p) { return run(p, x)(0, 0); };
  const auto sum = [](const parameters<line>& p) { return get<"y.weight">(p)(0, 0) + get<"y.bias">(p)(0); };
  CHECK(first(theta) == sum(theta));

  get<"y.weight">(theta)(0, 0) = 3;
  CHECK(first(theta) == sum(theta));
  theta.data()[0] = 4;  // the same number
  CHECK(first(theta) == sum(theta));
  CHECK(get<"y.weight">(theta)(0, 0) == 4);
  theta.for_each([](std::string_view, auto v) { v.data()[0] = 5; });
  CHECK(first(theta) == 10);

  const parameters<line> other(seed{8});
  CHECK(first(other) == sum(other));
  CHECK(first(theta) == 10);
  parameters<line> copy = theta;
  CHECK(first(copy) == 10);
  get<"y.weight">(copy)(0, 0) = 6;
  CHECK(first(copy) == 11);
  CHECK(first(theta) == 10);
  theta.set_zero();
  CHECK(first(theta) == 0);
  theta.initialize(seed{8});
  CHECK(first(theta) == first(other));
}

using tied = graph<"tied", input<"t", token<6>, steps<3>>, node<"e", embedding<6, 4>, "t">,
                   node<"y", linear<6>, "e">, tied<"e.weight", "y.weight">, output<"y">>;

TEST_CASE("tied parameters are one, and start as the first") {
  parameters<tied> theta(seed{2});
  static_assert(parameters<tied>::count() == 24 + 6);
  CHECK(get<"e.weight">(std::as_const(theta)).data() == get<"y.weight">(std::as_const(theta)).data());
  CHECK(of(get<"y.weight">(theta)).most > 0.6);  // normal, not uniform in [-1/2, 1/2]
}

// Values of other types cannot be assigned to a block of this graph.
using one = graph<"one", input<"x", features<2>>, node<"y", linear<3>, "x">, output<"y">>;
using other = graph<"other", input<"x", features<2>>, node<"y", linear<3>, "x">, output<"y">>;
static_assert(std::is_assignable_v<parameters<one>&, parameters<one>&>);
static_assert(!std::is_assignable_v<parameters<one>&, parameters<other>&> &&
              !std::is_assignable_v<parameters<one>&, parameters<one, double>&> &&
              !std::is_assignable_v<parameters<one>&, int>);

}  // namespace tenon::test
