// The functions of single numbers are those of the C++ library, in every precision.
#include <tenon/program/scalar.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

using namespace tenon;
using namespace tenon::ir;

TEST_CASE_TEMPLATE("functions of single numbers", T, float, double, long double) {
  for (T a : {T(0.1), T(0.75), T(1), T(3.5)}) {
    CHECK(scalar::exp(a) == std::exp(a));
    CHECK(scalar::log(a) == std::log(a));
    CHECK(scalar::log1p(a) == std::log1p(a));
    CHECK(scalar::sqrt(a) == std::sqrt(a));
    CHECK(scalar::sin(a) == std::sin(a));
    CHECK(scalar::cos(a) == std::cos(a));
    CHECK(scalar::abs(-a) == a);
    CHECK(scalar::tanh(a) == std::tanh(a));
    CHECK(scalar::erf(a) == std::erf(a));
    CHECK(scalar::sigmoid(a) == T(1) / (T(1) + std::exp(-a)));
  }
  CHECK(scalar::select(true, T(1), T(2)) == T(1));
  CHECK(scalar::select(false, T(1), T(2)) == T(2));
}
