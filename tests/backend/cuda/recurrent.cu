// An LSTM on a GPU, with all its steps in one kernel: its values and gradients are those of the reference.
#include "support/worse.hpp"
#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

using model =
    graph<"model", input<"x", features<5>, steps<7>>, node<"states", lstm<40>, "x">, output<"states">>;

template <class Backend, class T>
std::vector<double> values() {
  std::vector<T> x;
  for (int k = 0; k < 3 * 7 * 5; ++k) x.push_back(static_cast<T>(std::sin(0.7 * k)));
  const parameters<model, T> theta(seed{1});
  inference<model, batch<3>, on<Backend>, scalar_type<T>> run(theta);
  const auto y = run(view<const T>(x.data(), {3, 7, 5}, {35, 5, 1}));
  std::vector<double> all;
  for (int r = 0; r < 3; ++r)
    for (int t = 0; t < 7; ++t)
      for (int j = 0; j < 40; ++j) all.push_back(static_cast<double>(y(r, t, j)));
  return all;
}
TEST_CASE("an LSTM on a GPU") {
  const std::vector<double> expected = values<backend::reference, float>(),
                            got = values<backend::cuda, float>();
  REQUIRE(expected.size() == got.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-4));
}

// Enough units for a step's stage to run in tiles and, with more rows, on tensor cores.
using large = graph<"large", input<"x", features<8>, steps<2>>, node<"y", lstm<768>, "x">, output<"y">>;

template <class Backend>
std::vector<float> values_of_large(int rows) {
  std::vector<float> x;
  for (int k = 0; k < rows * 2 * 8; ++k) x.push_back(static_cast<float>(std::sin(0.7 * k)));
  const parameters<large> theta(seed{1});
  inference<large, batch<700>, on<Backend>> run(theta);
  const auto y = run(view<const float>(x.data(), {rows, 2, 8}, {16, 8, 1}));
  return {y.begin(), y.end()};
}
TEST_CASE("a large LSTM of many rows on a GPU") {
  for (const int rows : {192, 700}) {
    CAPTURE(rows);
    const std::vector<float> expected = values_of_large<backend::cpu>(rows),
                             got = values_of_large<backend::cuda>(rows);
    REQUIRE(expected.size() == got.size());
    float largest = 0;
    for (std::size_t k = 0; k < got.size(); ++k) largest = worse(largest, std::fabs(got[k] - expected[k]));
    CHECK(largest < 1e-5f);
  }
}

// With 32 units the gradient of a matrix is summed in parts, which a separate kernel adds up.
using small = graph<"small", input<"x", features<32>, steps<40>>, node<"y", lstm<32>, "x">, output<"y">>;

template <class Backend>
std::vector<double> gradients_of_small() {
  std::vector<float> x;
  for (int k = 0; k < 3 * 40 * 32; ++k) x.push_back(static_cast<float>(std::sin(0.7 * k)));
  const view<const float> given(x.data(), {3, 40, 32}, {40 * 32, 32, 1});
  const parameters<small> theta(seed{1});
  parameters<small> gradients(zeros{});
  differentiation<small, losses::mse<"y">, batch<3>, on<Backend>> learn;
  set_input<"x">(learn, given);
  set_input<"target">(learn, given);
  learn.forward(theta);
  learn.backward(theta, gradients);
  return {gradients.data(), gradients.data() + gradients.block_size};
}
TEST_CASE("gradients of an LSTM on a GPU") {
  const std::vector<double> expected = gradients_of_small<backend::cpu>(),
                            got = gradients_of_small<backend::cuda>();
  for (std::size_t k = 0; k < got.size(); ++k)
    CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-3).scale(1e-2));
}

}  // namespace tenon::test
