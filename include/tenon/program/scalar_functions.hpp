// The functions of single numbers that primitives call. Those of the C++ library are only declared here and defined in
// scalar.hpp: code that computes includes scalar.hpp, and checking a graph does not need <cmath>.
#pragma once

#include "tenon/meta/host_device.hpp"

#include <concepts>

namespace tenon::inline v0_1::ir::scalar {

// clang-format off
template <std::floating_point T> TENON_HOST_DEVICE T exp(T a);
template <std::floating_point T> TENON_HOST_DEVICE T log(T a);
template <std::floating_point T> TENON_HOST_DEVICE T log1p(T a);
template <std::floating_point T> TENON_HOST_DEVICE T sqrt(T a);
template <std::floating_point T> TENON_HOST_DEVICE T abs(T a);
template <std::floating_point T> TENON_HOST_DEVICE T sin(T a);
template <std::floating_point T> TENON_HOST_DEVICE T cos(T a);
template <std::floating_point T> TENON_HOST_DEVICE T tanh(T a);
template <std::floating_point T> TENON_HOST_DEVICE T erf(T a);
// clang-format on

template <class T>
TENON_HOST_DEVICE constexpr T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
template <std::floating_point T>
TENON_HOST_DEVICE T sigmoid(T a) {
  return T(1) / (T(1) + exp(-a));
}

}  // namespace tenon::inline v0_1::ir::scalar
