// Numbers that are read together, and sums over the lanes of a warp, in the emulation of blocks and threads.
#include "tenon/backend/cuda/several.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;

TEST_CASE("several numbers at once") {
  alignas(16) const float numbers[]{1, 2, 3, 4, 5, 6};
  CHECK(several_at<4>(numbers).numbers[3] == 4);
  CHECK(several_at<2>(numbers + 4).numbers[1] == 6);
  static_assert(alignof(several<float, 4>) == 16 && alignof(several<float, 2>) == 8);
  static_assert(alignof(several<double, 4>) == 16 && sizeof(several<double, 4>) == 32);
  CHECK(can_read<4>(numbers, 8));
  CHECK(!can_read<4>(numbers, 6));
  CHECK(!can_read<4>(numbers + 2, 8));
  CHECK(can_read<2>(numbers + 2, 6));
  CHECK(can_read<1>(numbers + 1, 5));
}

// Lane l begins with the number l + 100 row + 10000 column of each.
template <int Rows, int Columns, int Bit>
struct adds_lanes {
  static constexpr int threads = 32;
  template <template <class, int> class Array>
  using shared_memory = nothing_shared;
  double* out;  // [lane, row, column] of the rows that a lane keeps, zero of the others
  template <class Thread>
  void operator()(Thread& thread) const {
    using sums_of_warp = sums_of_lanes<Rows, Columns, Bit>;
    double sums[Rows][Columns];
    for (int r = 0; r < Rows; ++r)
      for (int c = 0; c < Columns; ++c) sums[r][c] = thread.index + 100 * r + 10000 * c;
    sums_of_warp::add(thread, sums);
    for (int i = 0; i < sums_of_warp::rows; ++i)
      for (int c = 0; c < Columns; ++c)
        out[(thread.index * Rows + sums_of_warp::first_row(thread.index) + i) * Columns + c] = sums[i][c];
  }
};
template <int Rows, int Columns, int Bit = 8>
void check_lanes() {
  CAPTURE(Rows);
  CAPTURE(Bit);
  std::vector<double> out(32 * Rows * Columns);
  launch(adds_lanes<Rows, Columns, Bit>{out.data()}, {1});
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < Rows && lane / Bit % 4 == 0; ++r) {
      int keepers = 0;
      for (int part = 0; part < 4; ++part)
        for (int c = 0; c < Columns; ++c) {
          const double got = out[std::size_t(((lane + Bit * part) * Rows + r) * Columns + c)];
          const double expected = 4 * (lane + 100 * r + 10000 * c) + 6 * Bit;  // of its four lanes
          if (got == 0 && expected != 0) continue;
          CHECK(got == expected);
          keepers += c == 0;
        }
      CHECK(keepers == (Rows % 4 == 0 ? 1 : 4));
    }
}
TEST_CASE("four lanes add up their rows, and each keeps a quarter of them or all") {
  check_lanes<8, 3>();
  check_lanes<4, 1>();
  check_lanes<2, 4>();
}
TEST_CASE("the four lanes may be neighbours") {
  check_lanes<8, 3, 1>();
  check_lanes<4, 4, 1>();
  check_lanes<1, 4, 1>();
  static_assert(sums_of_lanes<1, 4, 1>::keeps(28) && !sums_of_lanes<1, 4, 1>::keeps(30));
}
TEST_CASE("every row of a warp is kept by a lane of each column") {
  std::set<int> rows;
  for (int lane : {0, 8, 16, 24})
    for (int i = 0; i < sums_of_lanes<8, 4>::rows; ++i) rows.insert(sums_of_lanes<8, 4>::first_row(lane) + i);
  CHECK(rows.size() == 8);
  static_assert(sums_of_lanes<2, 4>::rows == 2 && sums_of_lanes<2, 4>::first_row(24) == 0);
  static_assert(sums_of_lanes<2, 4>::keeps(7) && !sums_of_lanes<2, 4>::keeps(8) &&
                sums_of_lanes<8, 4>::keeps(31));
}

}  // namespace tenon::test
