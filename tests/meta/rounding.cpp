// TENON_ROUNDS_EACH: a product is rounded before something is added to it, even if the processor can do both in one operation.
// flags: -O2
#include <tenon/meta/rounding.hpp>

#include <doctest/doctest.h>

namespace {

TENON_ROUNDS_EACH double product_and(double a, double b, double c) {
  TENON_ROUNDS_EACH_HERE
  return a * b + c;
}
// An inlined function in a caller that may use one operation.
struct line {
  double factor, shift;
  TENON_ROUNDS_EACH double at(double x) const {
    TENON_ROUNDS_EACH_HERE
    double sum[4]{};
    for (int k = 0; k < 4; ++k) {
      sum[k] += shift;
      sum[k] += factor * x;
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) / 4;
  }
};

}  // namespace

// (1 + e)^2 = 1 + 2 e + e^2, of which a double loses e^2 = 2^-60. In one operation e^2 would remain after subtracting 1 + 2 e.
TEST_CASE("what a product loses by its own rounding is lost") {
  volatile double e = 0x1p-30;  // not known to the compiler
  const double x = 1 + e, rounded = 1 + 2 * e;
  CHECK(product_and(x, x, -rounded) == 0);
  CHECK(product_and(x, x, 0) == rounded);
  CHECK(line{x, -rounded}.at(x) == 0);
  CHECK(__builtin_fma(x, x, -rounded) == 0x1p-60);
}
