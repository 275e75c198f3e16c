// avx512<T, Lanes>: the AVX-512 instructions that simd.hpp needs and that xsimd lacks or replaces by two, for
// each kind of register. Empty on a machine without AVX-512.
#pragma once

#include "tenon/backend/instruction_set.hpp"

#if defined(__AVX512F__) && !defined(TENON_COMPILER_VECTORS)
#  include "tenon/backend/cpu/xsimd.hpp"  // the intrinsics, without g++'s warnings about them

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

// fma is a b + c, fnma is c - a b, scale is a 2^n. `first` has a bit for each of the first lanes: other lanes are
// neither read nor written, load as 0, and come from `other` in keep.
template <class T, int Lanes>
struct avx512;

template <>
struct avx512<float, 16> {
  using bits = __mmask16;
  static __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
  static __m512 fnma(__m512 a, __m512 b, __m512 c) { return _mm512_fnmadd_ps(a, b, c); }
  static __m512 scale(__m512 a, __m512 n) { return _mm512_maskz_scalef_ps(0xffff, a, n); }
  static __m512 load(bits first, const float* from) { return _mm512_maskz_loadu_ps(first, from); }
  static void store(bits first, float* to, __m512 a) { _mm512_mask_storeu_ps(to, first, a); }
  static __m512 keep(bits first, __m512 a, __m512 other) { return _mm512_mask_mov_ps(other, first, a); }
  static float lane_0(__m512 a) { return _mm512_cvtss_f32(a); }
};
template <>
struct avx512<double, 8> {
  using bits = __mmask8;
  static __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
  static __m512d fnma(__m512d a, __m512d b, __m512d c) { return _mm512_fnmadd_pd(a, b, c); }
  static __m512d scale(__m512d a, __m512d n) { return _mm512_maskz_scalef_pd(0xff, a, n); }
  static __m512d load(bits first, const double* from) { return _mm512_maskz_loadu_pd(first, from); }
  static void store(bits first, double* to, __m512d a) { _mm512_mask_storeu_pd(to, first, a); }
  static __m512d keep(bits first, __m512d a, __m512d other) { return _mm512_mask_mov_pd(other, first, a); }
  static double lane_0(__m512d a) { return _mm512_cvtsd_f64(a); }
};

#  if defined(__AVX512VL__)
template <>
struct avx512<float, 8> {
  using bits = __mmask8;
  static __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
  static __m256 fnma(__m256 a, __m256 b, __m256 c) { return _mm256_fnmadd_ps(a, b, c); }
  static __m256 scale(__m256 a, __m256 n) { return _mm256_maskz_scalef_ps(0xff, a, n); }
  static __m256 load(bits first, const float* from) { return _mm256_maskz_loadu_ps(first, from); }
  static void store(bits first, float* to, __m256 a) { _mm256_mask_storeu_ps(to, first, a); }
  static __m256 keep(bits first, __m256 a, __m256 other) { return _mm256_mask_mov_ps(other, first, a); }
  static float lane_0(__m256 a) { return _mm256_cvtss_f32(a); }
};
template <>
struct avx512<double, 4> {
  using bits = __mmask8;
  static __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
  static __m256d fnma(__m256d a, __m256d b, __m256d c) { return _mm256_fnmadd_pd(a, b, c); }
  static __m256d scale(__m256d a, __m256d n) { return _mm256_maskz_scalef_pd(0xf, a, n); }
  static __m256d load(bits first, const double* from) { return _mm256_maskz_loadu_pd(first, from); }
  static void store(bits first, double* to, __m256d a) { _mm256_mask_storeu_pd(to, first, a); }
  static __m256d keep(bits first, __m256d a, __m256d other) { return _mm256_mask_mov_pd(other, first, a); }
  static double lane_0(__m256d a) { return _mm256_cvtsd_f64(a); }
};
#  endif

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
#endif
