// Products of windows that are read in place, against products of the windows that the reference assembles.
#include "tenon/backend/cpu/window_product.hpp"

#include "tenon/backend/reference/product.hpp"
#include "tenon/backend/reference/windows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::inline v0_1::backend {

namespace {

template <class T>
using numbers_of = std::vector<T>;
std::size_t size(int n) { return static_cast<std::size_t>(n); }
template <class T>
numbers_of<T> made_of(int count, T start) {
  numbers_of<T> all(size(count));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::sin(start + T(1.7) * static_cast<T>(k));
  return all;
}
template <class T>
void check_close(const numbers_of<T>& got, const numbers_of<T>& expected) {
  for (std::size_t k = 0; k < got.size(); ++k)
    if (!(std::abs(got[k] - expected[k]) <= T(2e-5) * (1 + std::abs(expected[k])))) {
      CAPTURE(k);
      CHECK(got[k] == expected[k]);
      return;
    }
}

// N channels of windows over D features, K neighbours each; rows of the batch have gaps between them.
template <int N, int D, int K, class T = float>
void check(const ir::windows& w, const ir::extents& over, int rows) {
  using numbers = numbers_of<T>;
  REQUIRE(w.size() == K);
  const ir::extents made = ir::count_windows(w, over);
  const int places = over.places(), windows = made.places();
  CAPTURE(N);
  CAPTURE(D);
  CAPTURE(rows);
  constexpr int apart = 3;  // elements between a row and the next
  const int x_row = D + apart, g_row = N + apart;
  const numbers x = made_of<T>(places * rows * x_row, 0), g = made_of<T>(windows * rows * g_row, 1),
                weight = made_of<T>(N * K * D, 2);
  const operand<const T> from{x.data(), x_row, rows * x_row}, adjoint{g.data(), g_row, rows * g_row};

  numbers together(size(windows * rows * K * D)), g_together(together.size());
  const operand<T> put{together.data(), K * D, rows * K * D};
  gather_windows<D>(reference{}, w, over, rows, nullptr, T(0), from, put);

  numbers packed(size(int(packed_size<N, K * D>(cpu{}))));
  pack<N, K * D>(cpu{}, weight.data(), packed.data());
  const T old = std::numeric_limits<T>::quiet_NaN();  // results must not depend on old contents
  numbers y(g.size(), T(7)), expected(g.size(), T(7));
  for (int r = 0; r < windows * rows; ++r)
    for (int n = 0; n < N; ++n) y[size(r * g_row + n)] = old;
  const int line = made.height > 1 ? made.width : 1;  // in blocks of whole lines
  for (int first = 0, block = line; first < windows; first += block, block = 2 * line) {
    const int count = block < windows - first ? block : windows - first;
    contract_windows<N, D>(cpu{}, w, over, first, count, rows, from, packed.data(),
                           operand<T>{y.data(), g_row, rows * g_row});
  }
  matmul<N, K * D>(reference{}, windows * rows, together.data(), K * D, weight.data(), expected.data(),
                   g_row);
  check_close(y, expected);

  numbers packed_back(size(int(packed_windows_size<N, K, D>(cpu{}))));
  pack_windows<N, K, D>(cpu{}, weight.data(), packed_back.data());
  numbers dx(x.size(), T(7)), dx_expected(x.size(), T(7));
  for (int r = 0; r < places * rows; ++r)
    for (int j = 0; j < D; ++j) dx[size(r * x_row + j)] = old;
  contract_windows_transposed<N, D>(cpu{}, w, over, rows, adjoint, packed_back.data(),
                                    operand<T>{dx.data(), x_row, rows * x_row});
  matmul_transposed<N, K * D>(reference{}, windows * rows, g.data(), g_row, weight.data(), g_together.data(),
                              K * D);
  sum_windows<D>(reference{}, w, over, rows, operand<const T>{g_together.data(), K * D, rows * K * D},
                 operand<T>{dx_expected.data(), x_row, rows * x_row});
  check_close(dx, dx_expected);
  contract_windows_transposed<N, D>(cpu{}, w, over, rows, adjoint, packed_back.data(),
                                    operand<T>{dx.data(), x_row, rows * x_row}, true);
  for (int r = 0; r < places * rows; ++r)
    for (int j = 0; j < D; ++j) dx_expected[size(r * x_row + j)] *= T(2);  // added to itself
  check_close(dx, dx_expected);

  numbers dw(weight.size(), T(0.5)), dw_expected(dw);
  numbers scratch(size(int(outer_windows_scratch_size<N, K, D>(cpu{}))), old);
  gradient_outer_windows<N, K, D>(cpu{}, w, over, rows, adjoint, from, dw.data(), scratch.data());
  gradient_outer<N, K * D>(reference{}, windows * rows, g.data(), g_row, together.data(), K * D,
                           dw_expected.data());
  check_close(dw, dw_expected);
}

}  // namespace

TEST_CASE("products of windows of sequences") {
  const ir::windows three{{}, {.size = 3, .before = 1, .behind = 1}};
  check<5, 3, 3>(three, {1, 7}, 1);
  check<5, 3, 3>(three, {1, 7}, 3);
  check<16, 8, 3>(three, {1, 33}, 2);
  check<17, 9, 3>(three, {1, 2}, 1);
  check<3, 300, 2>({{}, {.size = 2, .stride = 3, .before = 1}}, {1, 8},
                   2);  // too deep for the first cache
  check<1, 1, 2>({{}, {.size = 2, .dilation = 5, .before = 2, .behind = 3}}, {1, 3},
                 2);  // some have no neighbour
  check<4, 2, 4>({{}, {.size = 4, .stride = 6, .dilation = 4, .before = 7, .behind = 9}}, {1, 11}, 2);
  check<2, 1, 2>({{}, {.size = 2}}, {1, 2}, 1);
  check<3, 7, 64, double>({{}, {.size = 64, .before = 1}}, {1, 70}, 2);
}
TEST_CASE("products of windows of grids") {
  const ir::windows around{{.size = 3, .before = 1, .behind = 1}, {.size = 3, .before = 1, .behind = 1}};
  check<32, 16, 9>(around, {5, 6}, 1);
  check<32, 16, 9>(around, {5, 6}, 4);
  check<9, 1, 9>(around, {6, 5}, 2);
  check<5, 3, 6>({{.size = 3, .stride = 2, .before = 1, .behind = 1},
                  {.size = 2, .stride = 3, .dilation = 2, .before = 1, .behind = 3}},
                 {7, 9}, 3);
  check<33, 9, 6>({{.size = 3, .stride = 2, .dilation = 2, .before = 1, .behind = 3},
                   {.size = 2, .stride = 3, .dilation = 2, .before = 1, .behind = 3}},
                  {7, 9}, 1);
  check<17, 2, 12>({{.size = 3, .stride = 2, .dilation = 2, .before = 2, .behind = 2},
                    {.size = 4, .stride = 3, .dilation = 3, .before = 5, .behind = 5}},
                   {7, 11}, 2);
  check<3, 4, 4>({{.size = 2, .stride = 2}, {.size = 2, .stride = 2}}, {4, 7}, 2);
  check<3, 4, 6>({{.size = 3}, {.size = 2}}, {3, 2}, 2);  // one window
}

}  // namespace tenon::inline v0_1::backend
