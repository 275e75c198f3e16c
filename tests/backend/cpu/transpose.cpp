// Blocks of numbers transposed in registers.
#include "support/int32_register.hpp"
#include <tenon/backend/cpu/transpose.hpp>

#include <doctest/doctest.h>

using namespace tenon::backend;

namespace {

template <class V>
void check_transpose() {
  using T = simd::number_of<V>;
  constexpr int size = V::size;
  T numbers[size][size], row[size];
  V block[size];
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) numbers[i][j] = static_cast<T>(100 * i + j);
    block[i] = V::load(numbers[i]);
  }
  simd::transpose(block);
  for (int i = 0; i < size; ++i) {
    block[i].store(row);
    for (int j = 0; j < size; ++j) CHECK(static_cast<double>(row[j]) == static_cast<double>(numbers[j][i]));
  }
}
TEST_CASE("rows become columns") {
  check_transpose<simd::vector<float>>();
  check_transpose<simd::vector<double>>();
  check_transpose<simd::vector<float, simd::narrowest<float>>>();
  check_transpose<simd::vector<double, simd::narrowest<double>>>();
}
TEST_CASE("in a register of int32, whatever the numbers are") {
  check_transpose<tenon::test::int32_register<float>>();
  check_transpose<tenon::test::int32_register<double>>();
}

}  // namespace
