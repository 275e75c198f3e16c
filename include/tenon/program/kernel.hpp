// What a backend gets to run: the body of a fused elementwise kernel as a type, with its evaluation.
#pragma once

#include "tenon/program/kernel_body.hpp"
#include "tenon/program/scalar.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace tenon::inline v0_1::ir {

// A constant as a T. A finite one beyond the range of T becomes T's largest, so the least double is the least number of every
// type.
template <class T>
TENON_HOST_DEVICE constexpr T constant_as(double number) {
  constexpr double most = static_cast<double>(std::numeric_limits<T>::max());
  constexpr double largest = std::numeric_limits<double>::max();
  if (most < number && number <= largest) return std::numeric_limits<T>::max();
  if (-largest <= number && number < -most) return std::numeric_limits<T>::lowest();
  return static_cast<T>(number);
}

namespace detail {

// An instruction as a template argument. It does not name the kernel that it is part of, so that kernels share its code.
struct evaluation {
  opcode code;
  short a, b, c;         // of an input: a is the number of its load
  std::uint64_t number;  // the bits of a constant
};
constexpr evaluation evaluation_of(const instruction& i) {
  return {i.code, i.code == opcode::input ? static_cast<short>(i.first) : i.a, i.b, i.c,
          std::bit_cast<std::uint64_t>(i.number)};
}

// T is a number, or a vector of numbers, which nvcc 13 refuses as an argument of the constant's template.
TENON_NO_EXEC_CHECK
template <evaluation I, template <opcode> class Function, class T>
TENON_HOST_DEVICE TENON_ALWAYS_INLINE inline T evaluate_one(const T* loaded, const T* local) {
  if constexpr (I.code == opcode::input) return loaded[I.a];
  else if constexpr (I.code == opcode::constant) {
    if constexpr (requires { typename T::value_type; })
      return T(constant_as<typename T::value_type>(std::bit_cast<double>(I.number)));
    else return constant_as<T>(std::bit_cast<double>(I.number));
  } else if constexpr (I.b < 0) return Function<I.code>::value(local[I.a]);
  else if constexpr (I.c < 0) return Function<I.code>::value(local[I.a], local[I.b]);
  else return Function<I.code>::value(local[I.a], local[I.b], local[I.c]);
}

}  // namespace detail

// Fills local[0 .. Kernel::body.code.size) from what was loaded. T is a number, a SIMD batch or a CUDA
// thread's register; Function<op>::value computes an operation.
TENON_NO_EXEC_CHECK
template <class Kernel, template <opcode> class Function = primitive, class T>
TENON_HOST_DEVICE TENON_ALWAYS_INLINE inline void evaluate(const T* loaded, T* local) {
  [&]<int... K>(std::integer_sequence<int, K...>) TENON_ALWAYS_INLINE {
    ((local[K] = detail::evaluate_one<detail::evaluation_of(Kernel::body.code[K]), Function>(loaded, local)),
     ...);
  }
  (std::make_integer_sequence<int, Kernel::body.code.size>{});
}
// The same for Count elements, instruction by instruction: elements are independent, and none waits for another.
template <class Kernel, template <opcode> class Function = primitive, class T, int Count, int Loads,
          int Locals>
TENON_ALWAYS_INLINE inline void evaluate_together(const T (&loaded)[Count][Loads],
                                                  T (&local)[Count][Locals]) {
  [&]<int... N>(std::integer_sequence<int, N...>) TENON_ALWAYS_INLINE {
    ((local[N % Count][N / Count] =
          detail::evaluate_one<detail::evaluation_of(Kernel::body.code[N / Count]), Function>(
              loaded[N % Count], local[N % Count])),
     ...);
  }
  (std::make_integer_sequence<int, Count * Kernel::body.code.size>{});
}

}  // namespace tenon::inline v0_1::ir
