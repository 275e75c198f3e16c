// Backends in the user's own namespace: one that replaces one kernel of the reference, and one that uses none of them.
#include "support/network.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace workshop {

// The reference, whose products are counted.
struct counting : tenon::backend::reference {};
inline int products = 0;
template <int N, int K, class T>
void matmul(counting, int rows, const T* x, std::ptrdiff_t x_row, const T* w, T* y, std::ptrdiff_t y_row) {
  ++products;
  matmul<N, K>(tenon::backend::reference{}, rows, x, x_row, w, y, y_row);
}

// Only the kernels that the inference of a linear map needs.
struct small {};
template <int N, int K>
constexpr long packed_size(small) {
  return long(N) * K;
}
template <int N, int K, class T>
void pack(small, const T* w, T* packed) {
  for (int k = 0; k < N * K; ++k) packed[k] = w[k];
}
template <int N, int K, class T>
void matmul(small, int rows, const T* x, std::ptrdiff_t x_row, const T* w, T* y, std::ptrdiff_t y_row) {
  for (int r = 0; r < rows; ++r)
    for (int n = 0; n < N; ++n) {
      y[r * y_row + n] = 0;
      for (int k = 0; k < K; ++k) y[r * y_row + n] += w[n * K + k] * x[r * x_row + k];
    }
}
template <class Kernel, class T>
void map(small, int steps, int rows, const tenon::backend::operand<const T>* loads,
         const tenon::backend::operand<T>* stores) {
  map<Kernel>(tenon::backend::reference{}, steps, rows, loads, stores);
}

}  // namespace workshop

namespace tenon::test {
using namespace nn;

using affine_map = graph<"affine", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
using model = graph<"model", input<"x", features<3>, steps<4>>, node<"states", gru<5>, "x">,
                    node<"y", linear<2>, "states.final">, output<"y">>;

TEST_CASE("kernels of the user's own namespace are found") {
  const parameters<model> theta(seed{1});
  const std::vector<float> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const view<const float> given(x.data(), {1, 4, 3}, {12, 3, 1});
  inference<model, on<workshop::counting>> mine;
  inference<model, on<backend::reference>> reference;
  const auto y = mine(theta, given), z = reference(theta, given);
  for (int k = 0; k < 2; ++k) CHECK(y(0, k) == z(0, k));
  CHECK(workshop::products > 0);
}
TEST_CASE("a backend of its own") {
  parameters<affine_map> theta(seed{2});
  inference<affine_map, on<workshop::small>, batch<2>> mine;
  inference<affine_map, batch<2>> cpu;
  const std::vector<float> x{1, -2, 3, 0.5f, 0, -1};
  const auto y = mine(theta, x), z = cpu(theta, x);
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < 2; ++k) CHECK(y(r, k) == doctest::Approx(z(r, k)));
}

}  // namespace tenon::test
