// bfloat16: the upper half of a float, as a number in memory. Arithmetic is in float.
#pragma once

#include "tenon/meta/host_device.hpp"

#include <bit>
#include <cstdint>

namespace tenon::inline v0_1::detail {

struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  // Rounds to nearest, ties to even; the error is at most 2^-8 of a normal number. NaN stays NaN.
  TENON_HOST_DEVICE explicit constexpr bfloat16(float number) : bits(upper_half(number)) {}
  TENON_HOST_DEVICE constexpr operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }

 private:
  TENON_HOST_DEVICE static constexpr std::uint16_t upper_half(float number) {
    const auto whole = std::bit_cast<std::uint32_t>(number);
    const bool is_nan = number != number;
    return static_cast<std::uint16_t>(is_nan ? whole >> 16 | 1 : (whole + 0x7fff + (whole >> 16 & 1)) >> 16);
  }
};

}  // namespace tenon::inline v0_1::detail
