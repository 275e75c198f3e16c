// Products on tensor cores in the emulation of blocks and threads, against sums in double.
#include "tenon/backend/cuda/tensor_product.hpp"

#include "support/guarded_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;

using tall_tile = tensor_tile<128, 64, 64, 32, 3>;
using low_tile = tensor_tile<32, 32, 32, 32, 2>;

template <class Tile, bool TransposedLeft>
void check_on_tensor_cores(int rows, int columns, int depth, int parts, bool adds) {
  CAPTURE(rows);
  CAPTURE(columns);
  CAPTURE(depth);
  const auto whole = [](int n) { return (n + 3) / 4 * 4; };
  const int lines = TransposedLeft ? depth : rows, terms = TransposedLeft ? rows : depth;
  noise random(6);
  guarded_rows<float> left(lines, terms, whole(terms) + 4, true), right(depth, columns, whole(columns), true),
      out(parts * rows, columns, whole(columns), true);
  for (guarded_rows<float>* each : {&left, &right, &out}) each->fill([&](int, int) { return random(); });
  std::vector<double> expected;
  for (int p = 0, part = terms_of_part(depth, parts); p < parts; ++p)
    for (int m = 0; m < rows; ++m)
      for (int n = 0; n < columns; ++n) {
        double sum = adds ? double(out(p * rows + m, n)) : 0;
        for (int k = p * part; k < std::min(depth, (p + 1) * part); ++k)
          sum += double(TransposedLeft ? left(k, m) : left(m, k)) * double(right(k, n));
        expected.push_back(sum);
      }
  launch(tensor_product<Tile, TransposedLeft>{rows, columns, depth, terms_of_part(depth, parts), left.data(),
                                              right.data(), out.data(), left.stride, right.stride, out.stride,
                                              rows * out.stride, adds},
         {tiles_for(rows, Tile::rows), tiles_for(columns, Tile::columns), parts}, "matmul");
  CHECK(distance(out, expected) <= 2.4e-7 * (depth + 8) / 4);
  for (guarded_rows<float>* each : {&left, &right, &out}) CHECK(each->intact());
}
TEST_CASE("a part of a tile") {
  check_on_tensor_cores<low_tile, false>(1, 1, 1, 1, false);
  check_on_tensor_cores<low_tile, false>(19, 7, 21, 1, true);
  check_on_tensor_cores<low_tile, true>(18, 30, 5, 1, false);
}
TEST_CASE("whole tiles and rests") {
  check_on_tensor_cores<tall_tile, false>(131, 66, 50, 1, false);
  check_on_tensor_cores<tall_tile, true>(130, 65, 70, 1, true);
  check_on_tensor_cores<low_tile, false>(32, 64, 16, 1, true);
}
TEST_CASE("parts of the terms") { check_on_tensor_cores<low_tile, true>(33, 36, 100, 3, false); }

// Errors in units of the last place of a number as large as the root of the sum of all squared terms.
struct errors {
  double worst = 0, squares = 0;
  void add(double error) {
    worst = std::max(worst, std::fabs(error));
    squares += error * error;
  }
};
TEST_CASE("the error is not above that of a sum of floats") {
  for (const double lowest : {-1.0, 0.0})
    for (const int depth : {16, 256, 2048}) {
      CAPTURE(lowest);
      CAPTURE(depth);
      constexpr int size = 32;
      noise random(9);
      const auto number = [&] { return float(lowest == 0 ? std::fabs(random()) : random()); };
      guarded_rows<float> left(size, depth, depth, true), right(depth, size, size, true),
          out(size, size, size, true);
      left.fill([&](int, int) { return number(); });
      right.fill([&](int, int) { return number(); });
      launch(tensor_product<low_tile, false>{size, size, depth, depth, left.data(), right.data(), out.data(),
                                             left.stride, right.stride, out.stride, 0, false},
             {1, 1, 1}, "matmul");
      errors ours, of_floats;
      for (int m = 0; m < size; ++m)
        for (int n = 0; n < size; ++n) {
          double exact = 0, squares = 0;
          float floats = 0;
          for (int k = 0; k < depth; ++k) {
            const double term = double(left(m, k)) * double(right(k, n));
            exact += term;
            squares += term * term;
            floats = std::fma(left(m, k), right(k, n), floats);
          }
          const double unit = std::ldexp(std::sqrt(squares), -24);
          ours.add((double(out(m, n)) - exact) / unit);
          of_floats.add((double(floats) - exact) / unit);
        }
      if (depth >= 256) CHECK(ours.squares <= of_floats.squares);
      if (depth >= 256) CHECK(ours.worst <= of_floats.worst);
    }
}

}  // namespace tenon::test
