// dropout<rate>(x) in equations and cells: its fraction of zeros, its scale, its streams, and that inference ignores it.
#include "tenon/nn/dropout.hpp"

#include "support/equation.hpp"
#include "support/machines.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

// A dropped value is an argument like any other. In a namespace outside the library its functions are found only by their arguments, and the
// type of dropout<0.5>(x) depends on no parameter, so compilers look for tanh where it is written.
namespace outside {

using tenon::nn::dropout, tenon::nn::variational_dropout;

struct of_a_dropped_value {
  static constexpr auto at(auto x) {
    const auto dropped = dropout<0.5>(x);
    return with<"dropped">(tanh(dropped), dropped);
  }
};
struct of_each_feature {
  static constexpr auto at(auto x, auto y) {
    const auto of_one =
        sigmoid(dropout<0.1>(x)) * relu(variational_dropout<0.1>(x)) - square(-dropout<0.1>(y)) / 2;
    const auto of_two =
        max(dropout<0.1>(x), dropout<0.1>(y)) + min(dropout<0.1>(x), 1) + dropout<0.2>(dropout<0.1>(y));
    return of_one + of_two +
           select(greater(dropout<0.1>(x), 0), 1 - dropout<0.1>(x), variational_dropout<0.1>(y));
  }
};
struct of_all_features : tenon::equations::symbols {
  static constexpr auto at(auto x, auto y) {
    const auto over =
        sum(dropout<0.1>(x)) + mean(dropout<0.1>(y)) + dot(dropout<0.1>(x), y) + slice<0, 1>(dropout<0.1>(x));
    const auto all = concat(dropout<0.1>(x), softmax(dropout<0.1>(y)), dropout<0.1>(x));
    return over + matrix<"all", 3>(all) + W<"one", 3>(dropout<0.1>(x)) + normalize(dropout<0.1>(x));
  }
};
struct of_a_sequence {
  static constexpr auto at(auto x, auto y) {
    return sum<"time">(dropout<0.1>(x)) + softmax<"time">(variational_dropout<0.1>(x)) + y;
  }
};
struct nothing_else {
  static constexpr auto at(auto x) { return dropout<0.5>(x); }
};
struct states {
  static constexpr auto step(auto x, auto h, auto c) {
    return next(dropout<0.1>(h), tanh(dropout<0.1>(c)) + x).emitting(dropout<0.1>(h));
  }
};
struct state {
  static constexpr auto step(auto x, auto h) { return dropout<0.1>(h + x); }
};
struct too_many {
  static constexpr auto at(auto x) { return tanh(dropout<0.1>(x), dropout<0.1>(x)); }
};

}  // namespace outside

namespace tenon::test {

using namespace nn;

template <class Equation>
using of_two = graph<"of_two", input<"x", features<3>, steps<4>>, input<"y", features<3>>,
                     node<"z", Equation, "x", "y">, output<"z">>;
static_assert(check<of_two<outside::of_each_feature>>() && check<of_two<outside::of_all_features>>());
static_assert(check<of_two<outside::of_a_sequence>>());
template <class Layer>
using of_one = graph<"of_one", input<"x", features<3>, steps<4>>, node<"z", Layer, "x">, output<"z">>;
static_assert(check<of_one<outside::nothing_else>>());
static_assert(check<of_one<recurrent<outside::states, hidden<3>>>>() &&
              check<of_one<recurrent<outside::state, hidden<3>>>>());
static_assert(says(read({3}, [](auto x) { return outside::too_many::at(x); }).wrong,
                   "tanh takes 1 value, got 2; write one: tanh(a + b), tanh(concat(a, b))"));

TEST_CASE("functions of a dropped value") {
  using G = graph<"G", input<"x", features<50>>, node<"y", outside::of_a_dropped_value, "x">, output<"y">,
                  output<"y.dropped">>;
  differentiation<G, void> run;
  std::vector<float> x;
  for (int j = 0; j < 50; ++j) x.push_back(std::sin(static_cast<float>(j + 1)));
  run.randomness(seed{5}, 0);
  set_input<"x">(run, view<const float>(x.data(), {1, 50}));
  run.forward(parameters<G>());
  int zeros = 0;
  for (int j = 0; j < 50; ++j) {
    const float dropped = get<"y.dropped">(run)(0, j);
    const bool is_right = dropped == 0 || dropped == 2 * x[static_cast<std::size_t>(j)];
    CHECK(is_right);
    CHECK(get<"y">(run)(0, j) == doctest::Approx(std::tanh(static_cast<double>(dropped))).epsilon(1e-5));
    zeros += dropped == 0;
  }
  CHECK(zeros > 10);
  CHECK(zeros < 40);
}

struct two_drops {
  static constexpr auto at(auto x) {
    const auto once = dropout<0.25>(x), again = dropout<0.25>(x);
    return with<"again">(once + 0 * x, again + 0 * x);
  }
};
template <int T>
using dropping = graph<"dropping", input<"x", features<50>, steps<T>>, node<"y", two_drops, "x">, output<"y">,
                       output<"y.again">>;

TEST_CASE("a share of zeros, the rest scaled; each with zeros of its own; anew at each step of training") {
  constexpr int T = 40, rows = 3;
  differentiation<dropping<T>, void, batch<rows>, input_gradients> run;
  const std::vector<float> ones(rows * T * 50, 1.0f);
  const view<const float> given(ones.data(), {rows, T, 50}, {T * 50, 50, 1});
  parameters<dropping<T>> theta(zeros{}), gradients(zeros{});
  std::set<std::vector<float>> seen;
  for (std::uint64_t step : {0u, 1u}) {
    run.randomness(seed{7}, step);
    set_input<"x">(run, given);
    run.forward(theta);
    std::vector<float> y, again;
    long zeros = 0;
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < T; ++t)
        for (int j = 0; j < 50; ++j) {
          y.push_back(get<"y">(run)(r, t, j));
          again.push_back(get<"y.again">(run)(r, t, j));
          zeros += y.back() == 0;
          const bool is_right = y.back() == 0 || y.back() == 1 / 0.75f;
          CHECK(is_right);
        }
    CHECK(std::abs(static_cast<double>(zeros) / (rows * T * 50) - 0.25) < 0.03);
    seen.insert(y);
    seen.insert(again);
    // the backward pass has the zeros of the forward pass
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < T; ++t)
        for (int j = 0; j < 50; ++j) output_adjoint<"y">(run)(r, t, j) = 1;
    run.backward(theta, gradients);
    bool same = true;
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < T; ++t)
        for (int j = 0; j < 50; ++j)
          same =
              same && input_gradient<"x">(run)(r, t, j) == y[static_cast<std::size_t>((r * T + t) * 50 + j)];
    CHECK(same);
  }
  CHECK(seen.size() == 4);

  inference<dropping<T>, batch<rows>> still;
  set_input<"x">(still, given);
  still.run(theta);
  for (int t = 0; t < T; ++t) CHECK(get<"y">(still)(1, t, 3) == 1);
}

// The dropped units of the state differ from step to step (Semeniuta, Severyn and Barth 2016 drop units of the candidate).
struct forgetful {
  static constexpr auto step(auto x, auto h) { return next(dropout<0.5>(x) + 0 * h); }
};
TEST_CASE("in a cell, other zeros at each step") {
  using G = graph<"cell", input<"x", features<64>, steps<8>>,
                  node<"y", recurrent<forgetful, hidden<64>>, "x">, output<"y">>;
  differentiation<G, void> run;
  const std::vector<float> ones(8 * 64, 1.0f);
  run.randomness(seed{3}, 0);
  set_input<"x">(run, view<const float>(ones.data(), {1, 8, 64}, {512, 64, 1}));
  run.forward(parameters<G>());
  std::set<std::vector<float>> seen;
  for (int t = 0; t < 8; ++t) {
    std::vector<float> row;
    for (int j = 0; j < 64; ++j) row.push_back(get<"y">(run)(0, t, j));
    seen.insert(row);
  }
  CHECK(seen.size() == 8);
  static_assert(check<graph<"row", input<"x", features<4>>, node<"y", two_drops, "x">, output<"y">>>());
}

}  // namespace tenon::test
