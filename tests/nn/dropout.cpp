// dropout<rate>(x) in equations and cells: its share, its scale, its streams, and what inference makes of it.
#include "tenon/nn/dropout.hpp"

#include "support/machines.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace tenon::test {

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
          y.push_back(get<"y">(run)(r, t, j)), again.push_back(get<"y.again">(run)(r, t, j));
          zeros += y.back() == 0;
          const bool is_right = y.back() == 0 || y.back() == 1 / 0.75f;
          CHECK(is_right);
        }
    CHECK(std::abs(static_cast<double>(zeros) / (rows * T * 50) - 0.25) < 0.03);
    seen.insert(y), seen.insert(again);
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

// What is dropped of the state differs from step to step (Semeniuta, Severyn and Barth 2016: of the candidate).
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
