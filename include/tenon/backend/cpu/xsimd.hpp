// batch_of<T, Lanes> by xsimd. The only header that includes it, with wrappers for what its versions 8.1 to 14 call by different names.
// Empty where TENON_COMPILER_VECTORS is defined: compiler_vectors.hpp.
#pragma once

#include "tenon/backend/instruction_set.hpp"

#if !defined(TENON_COMPILER_VECTORS)

// g++ 12 warns about the undefined registers in its own AVX-512 intrinsics (GCC bug 105593, fixed in 13).
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#  pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <xsimd/xsimd.hpp>
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#  pragma GCC diagnostic pop
#endif

#if XSIMD_VERSION_MAJOR * 100 + XSIMD_VERSION_MINOR < 801
#  error "Tenon needs xsimd 8.1 or newer: another xsimd stands before it among the include paths."
#endif

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

template <class T, int Lanes>
using batch_of = xsimd::make_sized_batch_t<T, Lanes>;
template <class T>
using integer_of = xsimd::as_integer_t<T>;
template <class T>
inline constexpr int lanes_in_register = static_cast<int>(xsimd::batch<T>::size);

// The sum of all lanes: hadd before xsimd 9
template <class Batch>
typename Batch::value_type sum_of_lanes(Batch a) {
  if constexpr (requires { reduce_add(a); }) return reduce_add(a);
  else return hadd(a);
}

// f(a) for a function of xsimd that compares: in AVX-512BW, xsimd 8.1 selects whole numbers by code that g++ does not compile
// without optimisation. AVX-512DQ has the same registers.
template <class Batch, class F>
Batch through_registers(Batch a, F f) {
#if defined(__AVX512BW__)
  using number = typename Batch::value_type;
  if constexpr (sizeof(Batch) == 64) {
    using same_registers = xsimd::batch<number, xsimd::avx512dq>;
    return Batch(typename Batch::register_type(f(same_registers(typename Batch::register_type(a)))));
  } else {
    return f(a);
  }
#else
  return f(a);
#endif
}

// Quotient and root, rounded once. On ARM, xsimd estimates those of float: -inf for 1 / 7e-40, NaN for sqrt(inf).
template <class Batch>
Batch quotient_of(Batch a, Batch b) {
#if defined(__aarch64__)
  if constexpr (sizeof(typename Batch::value_type) == 4) return Batch(vdivq_f32(a, b));
#endif
  return a / b;
}
template <class Batch>
Batch root_of(Batch a) {
#if defined(__aarch64__)
  if constexpr (sizeof(typename Batch::value_type) == 4) return Batch(vsqrtq_f32(a));
#endif
  return xsimd::sqrt(a);
}

// The smaller and the larger of two; `a` if a is a NaN. In that case x86 returns its second operand, and xsimd
// passes its operands in one order or the other, depending on its version.
#if defined(__SSE2__)
inline __m128 smaller(__m128 limit, __m128 a) { return _mm_min_ps(limit, a); }
inline __m128 larger(__m128 limit, __m128 a) { return _mm_max_ps(limit, a); }
inline __m128d smaller(__m128d limit, __m128d a) { return _mm_min_pd(limit, a); }
inline __m128d larger(__m128d limit, __m128d a) { return _mm_max_pd(limit, a); }
#  if defined(__AVX__)
inline __m256 smaller(__m256 limit, __m256 a) { return _mm256_min_ps(limit, a); }
inline __m256 larger(__m256 limit, __m256 a) { return _mm256_max_ps(limit, a); }
inline __m256d smaller(__m256d limit, __m256d a) { return _mm256_min_pd(limit, a); }
inline __m256d larger(__m256d limit, __m256d a) { return _mm256_max_pd(limit, a); }
#  endif
#  if defined(__AVX512F__)
inline __m512 smaller(__m512 limit, __m512 a) { return _mm512_min_ps(limit, a); }
inline __m512 larger(__m512 limit, __m512 a) { return _mm512_max_ps(limit, a); }
inline __m512d smaller(__m512d limit, __m512d a) { return _mm512_min_pd(limit, a); }
inline __m512d larger(__m512d limit, __m512d a) { return _mm512_max_pd(limit, a); }
#  endif
template <class Batch>
Batch smaller_of(Batch limit, Batch a) {
  using lanes = typename Batch::register_type;
  return smaller(lanes(limit), lanes(a));
}
template <class Batch>
Batch larger_of(Batch limit, Batch a) {
  using lanes = typename Batch::register_type;
  return larger(lanes(limit), lanes(a));
}
#else
template <class Batch>
Batch smaller_of(Batch limit, Batch a) {
  return xsimd::min(limit, a);
}
template <class Batch>
Batch larger_of(Batch limit, Batch a) {
  return xsimd::max(limit, a);
}
#endif

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
#endif
