// Products whose terms are split, in the emulation of blocks and threads, against sums in double.
#include "tenon/backend/cuda/split_product.hpp"

#include "support/guarded_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;

template <class T, int Rows>
void check_split(int rows, int columns, int depth, int gap, bool adds) {
  CAPTURE(rows);
  CAPTURE(columns);
  CAPTURE(depth);
  noise random(5);
  guarded_rows<T> left(rows, depth, depth + gap, true), right(depth, columns, columns + gap, true),
      out(rows, columns, columns + 1);
  for (guarded_rows<T>* each : {&left, &right, &out}) each->fill([&](int, int) { return random(); });
  std::vector<double> expected;
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n) {
      double sum = adds ? double(out(m, n)) : 0;
      for (int k = 0; k < depth; ++k) sum += double(left(m, k)) * double(right(k, n));
      expected.push_back(sum);
    }
  REQUIRE(splits(columns, depth, left.data(), left.stride, right.data(), right.stride));
  multiply_split(split_product<T, Rows>{rows, columns, depth, left.data(), right.data(), out.data(),
                                        left.stride, right.stride, out.stride, adds},
                 "matmul");
  CHECK(distance(out, expected) <= static_cast<double>(std::numeric_limits<T>::epsilon()) * (depth + 8) / 4);
  for (guarded_rows<T>* each : {&left, &right, &out}) CHECK(each->intact());
}
TEST_CASE("a few rows") {
  check_split<float, 2>(1, 4, 4, 0, false);
  check_split<float, 2>(2, 36, 260, 4, true);
  check_split<float, 8>(1, 32, 128, 0, false);
  check_split<float, 8>(19, 40, 132, 8, false);
  check_split<double, 8>(8, 68, 20, 4, true);
}
TEST_CASE("what cannot be read in fours") {
  alignas(16) float numbers[16]{};
  CHECK(splits(8, 4, numbers, 4, numbers, 8));
  CHECK(!splits(6, 4, numbers, 4, numbers, 8));
  CHECK(!splits(8, 3, numbers, 4, numbers, 8));
  CHECK(!splits(8, 4, numbers + 1, 4, numbers, 8));
  CHECK(!splits(8, 4, numbers, 5, numbers, 8));
  CHECK(!splits(8, 4, numbers, 4, numbers, 9));
}

}  // namespace tenon::test
