// The functions of single numbers that primitives call, from the C++ library.
#pragma once

#include "tenon/program/scalar_functions.hpp"

#include <cmath>

namespace tenon::inline v0_1::ir::scalar {

// clang-format off
template <std::floating_point T> TENON_HOST_DEVICE T exp(T a) { return std::exp(a); }
template <std::floating_point T> TENON_HOST_DEVICE T log(T a) { return std::log(a); }
template <std::floating_point T> TENON_HOST_DEVICE T log1p(T a) { return std::log1p(a); }
template <std::floating_point T> TENON_HOST_DEVICE T sqrt(T a) { return std::sqrt(a); }
template <std::floating_point T> TENON_HOST_DEVICE T abs(T a) { return std::abs(a); }
template <std::floating_point T> TENON_HOST_DEVICE T sin(T a) { return std::sin(a); }
template <std::floating_point T> TENON_HOST_DEVICE T cos(T a) { return std::cos(a); }
template <std::floating_point T> TENON_HOST_DEVICE T tanh(T a) { return std::tanh(a); }
template <std::floating_point T> TENON_HOST_DEVICE T erf(T a) { return std::erf(a); }
// clang-format on

}  // namespace tenon::inline v0_1::ir::scalar
