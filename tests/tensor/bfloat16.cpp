// bfloat16 stores the number that an oracle in double rounds to, and returns it.
#include "tenon/tensor/bfloat16.hpp"

#include "support/bfloat16_oracle.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace tenon::test {

using tenon::detail::bfloat16;

static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16> &&
              std::is_trivially_default_constructible_v<bfloat16>);
static_assert(!std::is_convertible_v<float, bfloat16> && std::is_convertible_v<bfloat16, float>,
              "who rounds says so");
static_assert(float(bfloat16(1.f + 0x1p-8f)) == 1.f && float(bfloat16(1.f + 0x1.8p-7f)) == 1.f + 0x1p-6f);

TEST_CASE("every upper half with the lower halves around a tie") {
  int wrong = 0;
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper)
    for (const std::uint32_t lower : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      const float x = std::bit_cast<float>(upper << 16 | lower), got = bfloat16(x);
      if (std::isnan(x)) wrong += !std::isnan(got);
      else wrong += double(got) != rounded_to_bfloat16(x) || std::signbit(got) != std::signbit(x);
    }
  CHECK(wrong == 0);
}
TEST_CASE("what it holds comes back, whatever the bits") {
  int wrong = 0;
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
    const auto held = std::bit_cast<bfloat16>(static_cast<std::uint16_t>(upper));
    const bfloat16 again(held);
    if (!std::isnan(float(held))) wrong += bfloat16(float(held)).bits != upper || again.bits != upper;
  }
  CHECK(wrong == 0);
}
TEST_CASE("the largest number, infinity, and no number") {
  CHECK(float(bfloat16(0x1.fep127f)) == 0x1.fep127f);
  CHECK(std::isinf(float(bfloat16(std::numeric_limits<float>::max()))));
  CHECK(std::isnan(float(bfloat16(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(std::isnan(float(bfloat16(std::bit_cast<float>(0xff800001u)))));
}

}  // namespace tenon::test
