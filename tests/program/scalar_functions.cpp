// The functions of single numbers that are defined in the header of declarations: select, and sigmoid, against another formula.
#include <tenon/program/scalar.hpp>
#include <tenon/program/scalar_functions.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace tenon::test {

namespace scalar = ir::scalar;

static_assert(scalar::select(true, 3, 4) == 3 && scalar::select(false, 3, 4) == 4);
static_assert(scalar::select(false, 'a', 'b') == 'b');  // of any type

TEST_CASE_TEMPLATE("select does not compute with what it leaves", T, float, double) {
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  CHECK(scalar::select(true, T(2), nan) == T(2));
  CHECK(scalar::select(false, infinity, T(2)) == T(2));
  CHECK(std::isnan(scalar::select(true, nan, T(2))));
}

// 1 / (1 + exp(-a)) = (1 + tanh(a / 2)) / 2, computed in long double.
TEST_CASE_TEMPLATE("sigmoid is half of one and a hyperbolic tangent", T, float, double, long double) {
  for (int k = -60; k <= 60; ++k) {
    const T a = T(k) / 4;
    const long double expected = (1 + std::tanh(static_cast<long double>(a) / 2)) / 2;
    CHECK(std::abs(static_cast<long double>(scalar::sigmoid(a)) - expected) <=
          4 * static_cast<long double>(std::numeric_limits<T>::epsilon()) * expected + 1e-19L);
    CHECK(std::abs(scalar::sigmoid(a) + scalar::sigmoid(-a) - 1) <= 2 * std::numeric_limits<T>::epsilon());
  }
}

TEST_CASE_TEMPLATE("sigmoid saturates without overflow", T, float, double) {
  const T largest = std::numeric_limits<T>::max(), infinity = std::numeric_limits<T>::infinity();
  for (const T a : {T(1000), largest, infinity}) {
    CHECK(scalar::sigmoid(a) == 1);
    CHECK(scalar::sigmoid(-a) == 0);
  }
  CHECK(std::isnan(scalar::sigmoid(std::numeric_limits<T>::quiet_NaN())));
}

}  // namespace tenon::test
