/// A number rounded to bfloat16, in double: eight significant bits, to nearest, ties to even.
#pragma once

#include <cmath>

namespace tenon::test {

inline double rounded_to_bfloat16(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int exponent = std::ilogb(x) < -126 ? -126 : std::ilogb(x);  // smaller numbers are subnormal
  const double unit = std::ldexp(1.0, exponent - 7), count = std::abs(x) / unit;
  double whole = std::floor(count);
  if (count - whole > 0.5 || (count - whole == 0.5 && std::fmod(whole, 2) == 1)) whole += 1;
  const double magnitude = whole * unit;
  return std::copysign(magnitude < std::ldexp(1.0, 128) ? magnitude : HUGE_VAL, x);
}

}  // namespace tenon::test
