#include "tenon/tensor/named_tensor.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace tenon;

namespace {

template <class T, class Stored>
std::vector<T> read_as(io::dtype type, const std::vector<Stored>& values) {
  std::vector<T> result(values.size());
  io::read_numbers({.type = type, .shape = {values.size()}, .data = values.data()}, 0, values.size(),
                   result.data());
  return result;
}

// Signed zeros and NaN included.
bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

TEST_CASE("the types of C++ and their names") {
  static_assert(io::dtype_of<bool> == io::dtype::boolean && io::dtype_of<float> == io::dtype::float32);
  static_assert(io::dtype_of<signed char> == io::dtype::int8 &&
                io::dtype_of<unsigned char> == io::dtype::uint8);
  static_assert(io::dtype_of<short> == io::dtype::int16 && io::dtype_of<const long> == io::dtype::int64);
  static_assert(io::dtype_of<unsigned> == io::dtype::uint32 &&
                io::dtype_of<unsigned long long> == io::dtype::uint64);
  static_assert(detail::size_of(io::dtype::boolean) == 1 && detail::size_of(io::dtype::bfloat16) == 2 &&
                detail::size_of(io::dtype::uint64) == 8);
  CHECK(detail::name_of(io::dtype::boolean) == "bool");
  CHECK(detail::name_of(io::dtype::bfloat16) == "bfloat16");
  CHECK(detail::name_of(io::dtype::uint64) == "uint64");
  const io::named_tensor t{.name = "t", .type = io::dtype::int16, .shape = {2, 3}};
  CHECK(t.size() == 6);
  CHECK(t.bytes() == 12);
  CHECK(io::named_tensor{}.size() == 1);  // rank 0
  CHECK(detail::shape_text({2, 3}) == "[2, 3]");
  CHECK(detail::shape_text({}) == "[]");
}
TEST_CASE("every number of 16 bits: sign, exponent and fraction by their definition") {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::uint16_t>(k);
  const auto value_of = [](int bits, int exponent_bits) {
    const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1),
              fraction = bits & ((1 << fraction_bits) - 1);
    const double sign = bits >> 15 != 0 ? -1 : 1, one = 1 << fraction_bits;
    if (exponent == (1 << exponent_bits) - 1)
      return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
    if (exponent == 0) return sign * std::ldexp(fraction / one, 1 - bias);
    return sign * std::ldexp(1 + fraction / one, exponent - bias);
  };
  const auto half = read_as<float>(io::dtype::float16, all), brain = read_as<float>(io::dtype::bfloat16, all);
  const auto wide = read_as<double>(io::dtype::float16, all);
  int wrong = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    wrong +=
        !same(half[k], value_of(static_cast<int>(k), 5)) + !same(brain[k], value_of(static_cast<int>(k), 8));
    wrong += !same(wide[k], half[k]);
  }
  CHECK(wrong == 0);
}
TEST_CASE("integers, truth values, float and double") {
  CHECK(read_as<float>(io::dtype::int8, std::vector<std::int8_t>{-128, 127}) ==
        std::vector<float>{-128, 127});
  CHECK(read_as<float>(io::dtype::uint8, std::vector<std::uint8_t>{0, 255}) == std::vector<float>{0, 255});
  CHECK(read_as<float>(io::dtype::int16, std::vector<std::int16_t>{-300}) == std::vector<float>{-300});
  CHECK(read_as<double>(io::dtype::uint16, std::vector<std::uint16_t>{65535}) == std::vector<double>{65535});
  CHECK(read_as<double>(io::dtype::int32, std::vector<std::int32_t>{-70000}) == std::vector<double>{-70000});
  CHECK(read_as<double>(io::dtype::uint32, std::vector<std::uint32_t>{4294967295u}) ==
        std::vector<double>{4294967295.0});
  CHECK(read_as<double>(io::dtype::int64, std::vector<std::int64_t>{-(1l << 40)}) ==
        std::vector<double>{-0x1p40});
  CHECK(read_as<double>(io::dtype::uint64, std::vector<std::uint64_t>{1ul << 63}) ==
        std::vector<double>{0x1p63});
  CHECK(read_as<float>(io::dtype::boolean, std::vector<std::uint8_t>{0, 1, 2}) ==
        std::vector<float>{0, 1, 1});
  CHECK(read_as<float>(io::dtype::float64, std::vector<double>{0.1}) == std::vector<float>{0.1f});
  CHECK(read_as<double>(io::dtype::float32, std::vector<float>{0.1f}) == std::vector<double>{0.1f});
}
TEST_CASE("a part of a tensor at an odd address") {
  const std::vector<float> values{1, 2, 3, 4};
  std::vector<char> bytes(1 + 4 * sizeof(float));
  std::memcpy(bytes.data() + 1, values.data(), 4 * sizeof(float));
  const io::named_tensor t{
      .name = "t", .type = io::dtype::float32, .shape = {2, 2}, .data = bytes.data() + 1};
  double two[2];
  read_numbers(t, 1, 2, two);
  CHECK(two[0] == 2);
  CHECK(two[1] == 3);
}
