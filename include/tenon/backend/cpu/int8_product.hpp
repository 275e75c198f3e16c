// Products with weights of 8 bits, for inference: cpu_with<int8_weights>. Each row of a matrix has a scale of its own, and so has each
// row that is multiplied, whose numbers are rounded to up to 16 bits. Sums are whole numbers, so that they do not depend on their order:
// results are the same to the last bit on all processors, and for a row alone and in a batch.
//
//   panels of `lanes` outputs, as many as are multiplied together: [depth / 2][panels][lanes][2 weights]; a step of the loop multiplies two
//   features of x with all of them, and reads weights that follow each other
#pragma once

#include "tenon/backend/cpu/product.hpp"
#include "tenon/backend/trades.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#  include <immintrin.h>
#endif

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

template <class B>
concept HasInt8Weights = std::derived_from<B, cpu> && trades<B, int8_weights>;

namespace detail {

// The bits of a number without its sign are ordered as the numbers are; from `not_finite` on it is infinite, or no number.
inline constexpr std::int32_t without_sign = 0x7fffffff, not_finite = 0x7f800000, no_number = 0x7fc00000;

template <int Lanes>
std::int32_t largest_of(const std::int32_t (&each)[Lanes]) {
  std::int32_t most = 0;
  for (const std::int32_t bits : each) most = bits > most ? bits : most;
  return most;
}

// For each instruction set two types. pair_sums: `lanes` sums of products of two 8-bit weights with two 16-bit features, in whole numbers.
// lane_bits: the largest bits in each lane of the numbers of a row, and how these become 16-bit features.
#if defined(__AVX512BW__)
struct pair_sums {
  static constexpr int lanes = 16;
  using whole = __m512i;
  whole sums = _mm512_setzero_si512();

  static whole weights(const std::int8_t* from) {
    return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  static whole features(std::int32_t pair) { return _mm512_set1_epi32(pair); }
  void add(whole w, whole x) {
#  if defined(__AVX512VNNI__)
    sums = _mm512_dpwssd_epi32(sums, w, x);
#  else
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(w, x));
#  endif
  }
  void store(const float* scales, float step, float* to) const {
    const __m512 units = _mm512_mul_ps(_mm512_loadu_ps(scales), _mm512_set1_ps(step));
    _mm512_storeu_ps(to, _mm512_mul_ps(_mm512_cvtepi32_ps(sums), units));
  }
};
struct lane_bits {
  __m512i most = _mm512_setzero_si512();

  void look_at(const float* x) {
    most = _mm512_max_epi32(most, _mm512_and_si512(_mm512_loadu_si512(x), _mm512_set1_epi32(without_sign)));
  }
  std::int32_t largest() const { return _mm512_reduce_max_epi32(most); }
  static void round(const float* x, float factor, std::int16_t* to) {
    const __m512i rounded = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(x), _mm512_set1_ps(factor)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(rounded));
  }
};
#elif defined(__AVX2__)
struct pair_sums {
  static constexpr int lanes = 8;
  using whole = __m256i;
  whole sums = _mm256_setzero_si256();

  static whole weights(const std::int8_t* from) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static whole features(std::int32_t pair) { return _mm256_set1_epi32(pair); }
  void add(whole w, whole x) { sums = _mm256_add_epi32(sums, _mm256_madd_epi16(w, x)); }
  void store(const float* scales, float step, float* to) const {
    const __m256 units = _mm256_mul_ps(_mm256_loadu_ps(scales), _mm256_set1_ps(step));
    _mm256_storeu_ps(to, _mm256_mul_ps(_mm256_cvtepi32_ps(sums), units));
  }
};
struct lane_bits {
  __m256i most = _mm256_setzero_si256();

  void look_at(const float* x) {
    const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
    most = _mm256_max_epi32(most, _mm256_and_si256(bits, _mm256_set1_epi32(without_sign)));
  }
  std::int32_t largest() const {
    std::int32_t each[pair_sums::lanes];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(each), most);
    return largest_of(each);
  }
  static void round(const float* x, float factor, std::int16_t* to) {
    const __m256i rounded = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x), _mm256_set1_ps(factor)));
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(rounded, rounded), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(packed));
  }
};
#elif defined(__SSE2__)
struct pair_sums {
  static constexpr int lanes = 4;
  using whole = __m128i;
  whole sums = _mm_setzero_si128();

  static whole weights(const std::int8_t* from) {
    const whole bytes = _mm_loadl_epi64(reinterpret_cast<const whole*>(from));
    return _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
  }
  static whole features(std::int32_t pair) { return _mm_set1_epi32(pair); }
  void add(whole w, whole x) { sums = _mm_add_epi32(sums, _mm_madd_epi16(w, x)); }
  void store(const float* scales, float step, float* to) const {
    const __m128 units = _mm_mul_ps(_mm_loadu_ps(scales), _mm_set1_ps(step));
    _mm_storeu_ps(to, _mm_mul_ps(_mm_cvtepi32_ps(sums), units));
  }
};
struct lane_bits {
  __m128i most = _mm_setzero_si128();

  void look_at(const float* x) {
    const __m128i bits =
        _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)), _mm_set1_epi32(without_sign));
    const __m128i larger = _mm_cmpgt_epi32(bits, most);
    most = _mm_or_si128(_mm_and_si128(larger, bits), _mm_andnot_si128(larger, most));
  }
  std::int32_t largest() const {
    std::int32_t each[pair_sums::lanes];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(each), most);
    return largest_of(each);
  }
  static void round(const float* x, float factor, std::int16_t* to) {
    const __m128i rounded = _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(x), _mm_set1_ps(factor)));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi32(rounded, rounded));
  }
};
#else
struct pair_sums {
  static constexpr int lanes = 8;
  struct two {
    std::int32_t first, second;
  };
  std::int32_t sums[lanes]{};

  static const std::int8_t* weights(const std::int8_t* from) { return from; }
  static two features(std::int32_t pair) {
    std::int16_t both[2];
    std::memcpy(both, &pair, sizeof both);
    return {both[0], both[1]};
  }
  void add(const std::int8_t* w, two x) {
    for (int l = 0; l < lanes; ++l) sums[l] += w[2 * l] * x.first + w[2 * l + 1] * x.second;
  }
  void store(const float* scales, float step, float* to) const {
    for (int l = 0; l < lanes; ++l) to[l] = static_cast<float>(sums[l]) * (scales[l] * step);
  }
};
struct lane_bits {
  std::int32_t most[pair_sums::lanes]{};

  void look_at(const float* x) {
    for (int l = 0; l < pair_sums::lanes; ++l) {
      const std::int32_t bits = std::bit_cast<std::int32_t>(x[l]) & without_sign;
      most[l] = bits > most[l] ? bits : most[l];
    }
  }
  std::int32_t largest() const { return largest_of(most); }
  static void round(const float* x, float factor, std::int16_t* to) {
    for (int l = 0; l < pair_sums::lanes; ++l) to[l] = static_cast<std::int16_t>(std::lrintf(x[l] * factor));
  }
};
#endif

// What a weight and a feature are at most, so that the sum over `depth` of their products fits into 32 bits.
inline constexpr int largest_weight = 127;
constexpr int largest_feature(int depth) {
  const long most = 0x7fffffffL / (long(largest_weight) * depth);
  return most < 32767 ? static_cast<int>(most) : 32767;
}

template <int N, int K>
struct int8_layout {
  static_assert(largest_feature(K) > 0, "a row is too long for sums in 32 bits");
  static constexpr int lanes = pair_sums::lanes, pairs = (K + 1) / 2, panels = (N + lanes - 1) / lanes;
  static constexpr int panel = pairs * lanes * 2;                      // bytes
  static constexpr int scales = panels * lanes;                        // in front of all panels
  static constexpr int rounded_row = (K + lanes - 1) / lanes * lanes;  // numbers of 16 bits; lanes are even
  static constexpr int rows_together = K <= 1024 ? 4 : K <= 2048 ? 2 : 1;  // of x
  static constexpr long size = scales + (long(panels) * panel + 3) / 4;    // in numbers of 32 bits

  // How many panels are multiplied together with this one.
  static constexpr int panels_together(int p) { return p < panels / 4 * 4 ? 4 : p < panels / 2 * 2 ? 2 : 1; }
};

// Rounds the numbers of a row so that the largest is `limit`, up to a whole number of lanes, and returns what a step of 1 stands for: no
// number if one of them is infinite, or no number.
template <int K>
float round_row(const float* x, int limit, std::int16_t* rounded) {
  constexpr int lanes = pair_sums::lanes, full = K / lanes * lanes;
  float rest[lanes]{};
  std::memcpy(rest, x + full, sizeof(float) * static_cast<std::size_t>(K - full));
  lane_bits of_row;
  for (int k = 0; k < full; k += lanes) of_row.look_at(x + k);
  if constexpr (full < K) of_row.look_at(rest);
  const std::int32_t bits = of_row.largest();
  const float largest = std::bit_cast<float>(bits);
  // Where the largest number is so small that the factor might become infinite, all are rounded to 0.
  const bool rounds = bits < not_finite && largest >= 1e-30f;
  const float factor = rounds ? static_cast<float>(limit) / largest : 0;
  for (int k = 0; k < full; k += lanes) lane_bits::round(x + k, factor, rounded + k);
  if constexpr (full < K) lane_bits::round(rest, factor, rounded + full);
  return rounds              ? largest / static_cast<float>(limit)
         : bits < not_finite ? 0
                             : std::bit_cast<float>(no_number);
}

// `Panels` panels for `Rows` rows of x.
template <int N, int K, int Rows, int Panels>
void multiply_panels(const std::int16_t* x, const float* steps, int first, const float* packed, float* y,
                     std::ptrdiff_t y_row) {
  using layout = int8_layout<N, K>;
  constexpr int lanes = layout::lanes, row = layout::rounded_row;
  const auto* const weights =
      reinterpret_cast<const std::int8_t*>(packed + layout::scales) + std::ptrdiff_t(first) * layout::panel;
  pair_sums sums[Rows][Panels];
  for (int k = 0; k < layout::pairs; ++k) {
    decltype(pair_sums::weights(weights)) w[Panels];
    TENON_UNROLL for (int p = 0; p < Panels; ++p) w[p] =
        pair_sums::weights(weights + (k * Panels + p) * lanes * 2);
    TENON_UNROLL for (int r = 0; r < Rows; ++r) {
      std::int32_t pair;
      std::memcpy(&pair, x + r * row + 2 * k, sizeof pair);
      const auto spread = pair_sums::features(pair);
      TENON_UNROLL for (int p = 0; p < Panels; ++p) sums[r][p].add(w[p], spread);
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int p = 0; p < Panels; ++p) {
      const int n = (first + p) * lanes;
      float* const to = y + r * y_row + n;
      if (n + lanes <= N) {
        sums[r][p].store(packed + n, steps[r], to);
      } else {
        float last[lanes];
        sums[r][p].store(packed + n, steps[r], last);
        std::memcpy(to, last, sizeof(float) * static_cast<std::size_t>(N - n));
      }
    }
}
template <int N, int K, int Rows>
void multiply_rounded_rows(const float* x, std::ptrdiff_t x_row, const float* packed, float* y,
                           std::ptrdiff_t y_row) {
  using layout = int8_layout<N, K>;
  std::int16_t rounded[Rows][layout::rounded_row];
  float steps[Rows];
  for (int r = 0; r < Rows; ++r) steps[r] = round_row<K>(x + r * x_row, largest_feature(K), rounded[r]);
  int p = 0;
  for (; p + 4 <= layout::panels; p += 4)
    multiply_panels<N, K, Rows, 4>(rounded[0], steps, p, packed, y, y_row);
  if constexpr (layout::panels % 4 >= 2)
    multiply_panels<N, K, Rows, 2>(rounded[0], steps, layout::panels / 4 * 4, packed, y, y_row);
  if constexpr (layout::panels % 2 > 0)
    multiply_panels<N, K, Rows, 1>(rounded[0], steps, layout::panels - 1, packed, y, y_row);
}

}  // namespace detail

template <int N, int K, HasInt8Weights Backend>
constexpr int packed_size(Backend) {
  return static_cast<int>(detail::int8_layout<N, K>::size);
}
// Each row of w [N, K] divided by its scale, the largest weight by 127, and rounded to nearest even.
template <int N, int K, HasInt8Weights Backend>
void pack(Backend, const float* w, float* packed) {
  using layout = detail::int8_layout<N, K>;
  std::fill_n(packed, layout::size, 0.0f);
  auto* const weights = reinterpret_cast<std::int8_t*>(packed + layout::scales);
  for (int n = 0; n < N; ++n) {
    const float* const row = w + std::ptrdiff_t(n) * K;
    std::int16_t rounded[layout::rounded_row];
    packed[n] = detail::round_row<K>(row, detail::largest_weight, rounded);
    const int p = n / layout::lanes, together = layout::panels_together(p);
    std::int8_t* const to = weights + std::ptrdiff_t(p / together * together) * layout::panel +
                            (p % together * layout::lanes + n % layout::lanes) * 2;
    for (int k = 0; k < K; ++k)
      to[k / 2 * together * layout::lanes * 2 + k % 2] = static_cast<std::int8_t>(rounded[k]);
  }
}
// y[r, n] = sum_k x[r, k] w[n, k], both rounded
template <int N, int K, HasInt8Weights Backend>
void matmul(Backend, int rows, const float* x, std::ptrdiff_t x_row, const float* packed, float* y,
            std::ptrdiff_t y_row) {
  constexpr int together = detail::int8_layout<N, K>::rows_together;
  int r = 0;
  if constexpr (together > 1)
    for (; r + together <= rows; r += together)
      detail::multiply_rounded_rows<N, K, together>(x + r * x_row, x_row, packed, y + r * y_row, y_row);
  for (; r < rows; ++r)
    detail::multiply_rounded_rows<N, K, 1>(x + r * x_row, x_row, packed, y + r * y_row, y_row);
}

// Products are kernels of their own, and windows are put side by side for them.
constexpr int most_multiplied_neighbours(HasInt8Weights auto) { return 0; }

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
