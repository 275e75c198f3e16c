// The larger of two differences, where NaN is larger than all: std::max and std::fmax ignore a NaN, so a test that uses them would pass.
#pragma once

#include <cmath>

namespace tenon::test {

template <class T>
T worse(T so_far, T difference) {
  return std::isnan(difference) || so_far < difference ? difference : so_far;
}

}  // namespace tenon::test
