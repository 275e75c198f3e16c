// What a backend is given to run: patterns, places, and the body of a fused elementwise kernel with its
// evaluation.
#pragma once

#include "tenon/equation/pattern.hpp"
#include "tenon/equation/scalar.hpp"

#include <utility>

namespace tenon {

namespace detail {

TENON_NO_EXEC_CHECK
template <class Kernel, int K, template <op> class Function, class T>
TENON_HOST_DEVICE TENON_ALWAYS_INLINE inline T evaluate_one(const T* loaded, const T* local) {
  constexpr instruction i = Kernel::body.code[K];
  if constexpr (i.code == op::input) return loaded[i.first];
  else if constexpr (i.code == op::constant) return T(i.number);
  else if constexpr (i.b < 0) return Function<i.code>::value(local[i.a]);
  else if constexpr (i.c < 0) return Function<i.code>::value(local[i.a], local[i.b]);
  else return Function<i.code>::value(local[i.a], local[i.b], local[i.c]);
}

}  // namespace detail

// Fills local[0 .. Kernel::body.code.size) from what was loaded. T is a number, a SIMD batch or a CUDA
// thread's register, Function<op>::value what computes.
TENON_NO_EXEC_CHECK
template <class Kernel, template <op> class Function = primitive, class T>
TENON_HOST_DEVICE TENON_ALWAYS_INLINE inline void evaluate(const T* loaded, T* local) {
  [&]<int... K>(std::integer_sequence<int, K...>) TENON_ALWAYS_INLINE {
    ((local[K] = detail::evaluate_one<Kernel, K, Function>(loaded, local)), ...);
  }
  (std::make_integer_sequence<int, Kernel::body.code.size>{});
}
// The same for Count elements, instruction after instruction: none waits for what another computes.
template <class Kernel, template <op> class Function = primitive, class T, int Count, int Loads, int Locals>
TENON_ALWAYS_INLINE inline void evaluate_together(const T (&loaded)[Count][Loads],
                                                  T (&local)[Count][Locals]) {
  [&]<int... N>(std::integer_sequence<int, N...>) TENON_ALWAYS_INLINE {
    ((local[N % Count][N / Count] =
          detail::evaluate_one<Kernel, N / Count, Function>(loaded[N % Count], local[N % Count])),
     ...);
  }
  (std::make_integer_sequence<int, Count * Kernel::body.code.size>{});
}

}  // namespace tenon
