// The elementwise operations an equation is made of: value, derivative and cost of each in one place.
// `value` is generic over the scalar: float, double, a SIMD batch, a CUDA thread's register.
// `derivative` is written in the equation language itself: given the adjoint g of y = f(a, ...), it calls
// `to(operand, adjoint)` for every operand that has one.
#pragma once

#include "tenon/meta/host_device.hpp"
#include "tenon/program/opcode.hpp"
#include "tenon/program/scalar_functions.hpp"

namespace tenon::inline v0_1::ir {

template <opcode>
struct primitive;

template <>
struct primitive<opcode::copy> {  // also widens a value of size 1 to its own size
  static constexpr int arity = 1, cost = 0;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    return a;
  }
  static constexpr void derivative(auto to, auto g, auto, auto) { to(0, g); }
};
template <>
struct primitive<opcode::stop_gradient> {  // y = a, dy/da = 0 by definition
  static constexpr int arity = 1, cost = 0;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    return a;
  }
  static constexpr void derivative(auto, auto, auto, auto) {}
};
template <>
struct primitive<opcode::negate> {
  static constexpr int arity = 1, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    return -a;
  }
  static constexpr void derivative(auto to, auto g, auto, auto) { to(0, -g); }
};
template <>
struct primitive<opcode::add> {
  static constexpr int arity = 2, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    return a + b;
  }
  static constexpr void derivative(auto to, auto g, auto, auto, auto) {
    to(0, g);
    to(1, g);
  }
};
template <>
struct primitive<opcode::subtract> {
  static constexpr int arity = 2, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    return a - b;
  }
  static constexpr void derivative(auto to, auto g, auto, auto, auto) {
    to(0, g);
    to(1, -g);
  }
};
template <>
struct primitive<opcode::multiply> {
  static constexpr int arity = 2, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    return a * b;
  }
  static constexpr void derivative(auto to, auto g, auto, auto a, auto b) {
    to(0, g * b);
    to(1, g * a);
  }
};
template <>
struct primitive<opcode::divide> {
  static constexpr int arity = 2, cost = 4;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    return a / b;
  }
  static constexpr void derivative(auto to, auto g, auto y, auto, auto b) {
    to(0, g / b);
    to(1, -(g * y) / b);
  }
};
template <>
struct primitive<opcode::maximum> {  // not-a-number stays so; a tie gives the whole adjoint to a
  static constexpr int arity = 2, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    using scalar::select;
    return select(a < b, b, select(b == b, a, b));
  }
  static constexpr void derivative(auto to, auto g, auto, auto a, auto b) {
    to(0, g * (1 - greater(b, a)));
    to(1, g * greater(b, a));
  }
};
template <>
struct primitive<opcode::minimum> {  // not-a-number stays so; a tie gives the whole adjoint to a
  static constexpr int arity = 2, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    using scalar::select;
    return select(b < a, b, select(b == b, a, b));
  }
  static constexpr void derivative(auto to, auto g, auto, auto a, auto b) {
    to(0, g * (1 - greater(a, b)));
    to(1, g * greater(a, b));
  }
};
template <>
struct primitive<opcode::select> {  // a > 0 ? b : c
  static constexpr int arity = 3, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b, T c) {
    using scalar::select;
    return select(a > T(0), b, c);
  }
  static constexpr void derivative(auto to, auto g, auto, auto a, auto, auto) {
    to(1, select(a, g, 0));
    to(2, select(a, 0, g));
  }
};
template <>
struct primitive<opcode::greater> {  // 1 where a > b, else 0
  static constexpr int arity = 2, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    using scalar::select;
    return select(a > b, T(1), T(0));
  }
  static constexpr void derivative(auto, auto, auto, auto, auto) {}
};
template <>
struct primitive<opcode::equal> {  // 1 where a == b, else 0
  static constexpr int arity = 2, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a, T b) {
    using scalar::select;
    return select(a == b, T(1), T(0));
  }
  static constexpr void derivative(auto, auto, auto, auto, auto) {}
};
template <>
struct primitive<opcode::exp> {
  static constexpr int arity = 1, cost = 10;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::exp;
    return exp(a);
  }
  static constexpr void derivative(auto to, auto g, auto y, auto) { to(0, g * y); }
};
template <>
struct primitive<opcode::log> {
  static constexpr int arity = 1, cost = 10;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::log;
    return log(a);
  }
  static constexpr void derivative(auto to, auto g, auto, auto a) { to(0, g / a); }
};
template <>
struct primitive<opcode::sqrt> {
  static constexpr int arity = 1, cost = 6;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::sqrt;
    return sqrt(a);
  }
  static constexpr void derivative(auto to, auto g, auto y, auto) { to(0, 0.5 * g / y); }
};
template <>
struct primitive<opcode::abs> {
  static constexpr int arity = 1, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::abs;
    return abs(a);
  }
  static constexpr void derivative(auto to, auto g, auto, auto a) { to(0, g * sign(a)); }
};
template <>
struct primitive<opcode::sign> {  // -1, 0 or 1
  static constexpr int arity = 1, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::select;
    return select(a > T(0), T(1), select(a < T(0), T(-1), T(0)));
  }
  static constexpr void derivative(auto, auto, auto, auto) {}
};
template <>
struct primitive<opcode::sin> {  // of radians
  static constexpr int arity = 1, cost = 15;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::sin;
    return sin(a);
  }
  static constexpr void derivative(auto to, auto g, auto, auto a) { to(0, g * cos(a)); }
};
template <>
struct primitive<opcode::cos> {
  static constexpr int arity = 1, cost = 15;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::cos;
    return cos(a);
  }
  static constexpr void derivative(auto to, auto g, auto, auto a) { to(0, -(g * sin(a))); }
};
template <>
struct primitive<opcode::sigmoid> {  // 1 / (1 + exp(-a)): saturates without overflow, since 1 / inf is 0
  static constexpr int arity = 1, cost = 12;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::sigmoid;
    return sigmoid(a);
  }
  static constexpr void derivative(auto to, auto g, auto y, auto) { to(0, g * (y * (1 - y))); }
};
template <>
struct primitive<opcode::tanh> {
  static constexpr int arity = 1, cost = 12;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::tanh;
    return tanh(a);
  }
  static constexpr void derivative(auto to, auto g, auto y, auto) { to(0, g * (1 - y * y)); }
};
template <>
struct primitive<opcode::relu> {  // the derivative at 0 is 0; not-a-number stays so
  static constexpr int arity = 1, cost = 1;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::select;
    return select(a < T(0), T(0), a);
  }
  static constexpr void derivative(auto to, auto g, auto y, auto) { to(0, g * greater(y, 0)); }
};
template <>
struct primitive<opcode::softplus> {  // log(1 + exp(a)) = max(a, 0) + log(1 + exp(-|a|))
  static constexpr int arity = 1, cost = 20;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::abs, scalar::exp, scalar::log1p;
    using scalar::select;
    return select(a < T(0), T(0), a) + log1p(exp(-abs(a)));
  }
  static constexpr void derivative(auto to, auto g, auto, auto a) { to(0, g * sigmoid(a)); }
};
template <>
struct primitive<opcode::erf> {  // d/da erf(a) = 2 / sqrt(pi) exp(-a^2)
  static constexpr int arity = 1, cost = 15;
  TENON_NO_EXEC_CHECK
  template <class T>
  TENON_HOST_DEVICE TENON_ALWAYS_INLINE static T value(T a) {
    using scalar::erf;
    return erf(a);
  }
  static constexpr void derivative(auto to, auto g, auto, auto a) {
    to(0, 1.1283791670955126 * g * exp(-(a * a)));
  }
};

}  // namespace tenon::inline v0_1::ir
