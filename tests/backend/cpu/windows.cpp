// Windows on the CPU against the reference: all places, lengths and strides, to the same bits.
#include "tenon/backend/cpu/windows.hpp"

#include "tenon/backend/reference/windows.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::inline v0_1::backend {

namespace {

template <int D>
void check(const ir::windows& w, const ir::extents& over, const int* lengths, float outside) {
  constexpr int rows = 3;
  const int places = over.places(), made = ir::count_windows(w, over).places(), wide = w.size() * D;
  CAPTURE(places);
  CAPTURE(made);
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  std::vector<float> x(size(places * rows * D)), g(size(made * rows * wide));
  float number = 0;
  for (float& v : x) v = number += 0.37f;
  for (float& v : g) v = number -= 0.73f;
  std::vector<float> y[2], dx[2];
  for (int machine = 0; machine < 2; ++machine) {
    y[machine].assign(g.size(), 99);
    dx[machine].assign(x.size(), 99);
    const operand<const float> from{x.data(), places * D, D},
        adjoint{g.data(), wide, rows * wide};  // x: rows of steps
    const operand<float> to{y[machine].data(), wide, rows * wide}, back{dx[machine].data(), places * D, D};
    if (machine == 0) {
      gather_windows<D>(reference{}, w, over, rows, lengths, outside, from, to);
      sum_windows<D>(reference{}, w, over, rows, adjoint, back);
    } else {
      gather_windows<D>(cpu{}, w, over, rows, lengths, outside, from, to);
      sum_windows<D>(cpu{}, w, over, rows, adjoint, back);
    }
  }
  CHECK(y[0] == y[1]);
  CHECK(dx[0] == dx[1]);
}

}  // namespace

TEST_CASE("windows of sequences and grids") {
  const int lengths[]{7, 0, 4};
  check<3>({{}, {.size = 3, .stride = 2, .before = 1, .behind = 1}}, {1, 7}, nullptr, 0);
  check<1>({{}, {.size = 3, .dilation = 2, .before = 4}}, {1, 7}, lengths, -5);
  check<17>({{.size = 2, .stride = 2, .before = 1}, {.size = 3, .behind = 2}}, {4, 5}, nullptr, 0);
  check<8>({{.size = 4}, {.size = 5}}, {4, 5}, nullptr, 0);
}

}  // namespace tenon::inline v0_1::backend
