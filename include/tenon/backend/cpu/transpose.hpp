// Transposes square blocks of numbers in registers.
#pragma once

#include "tenon/backend/cpu/lanes.hpp"
#include "tenon/backend/cpu/simd.hpp"

#include <cstddef>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

namespace detail {
// a0 b0 a1 b1 .. of the lower (Half 0) or the upper half of a and b
template <int Half, any_vector V, int... I>
TENON_ALWAYS_INLINE inline V interleaved(V a, V b, std::integer_sequence<int, I...>) {
  const auto even = numbers_of(a), odd = numbers_of(b);
  return vector_of<V>(numbers_in<V>{(I % 2 == 0 ? even : odd)[(Half * V::size + I) / 2]...});
}
}  // namespace detail

// rows[i] lane j becomes rows[j] lane i.
template <any_vector V, int Lanes>
TENON_ALWAYS_INLINE inline void transpose(V (&rows)[Lanes]) {
  static_assert(Lanes == V::size);
  constexpr int size = Lanes, half = size / 2;
  constexpr std::make_integer_sequence<int, size> all_lanes;
  for (int width = 1; width < size; width *= 2) {
    V next[size];
    repeat<half>([&](int i) TENON_ALWAYS_INLINE {
      next[2 * i] = detail::interleaved<0>(rows[i], rows[i + half], all_lanes);
      next[2 * i + 1] = detail::interleaved<1>(rows[i], rows[i + half], all_lanes);
    });
    repeat<size>([&](int i) TENON_ALWAYS_INLINE { rows[i] = next[i]; });
  }
}

// to[k * to_row + n] = from[n * from_row + k] for a vector of n and k < width; zeros from n = `rows` on
template <any_vector V, class T>
void pack_columns(int rows, int width, const T* from, std::ptrdiff_t from_row, T* to, std::ptrdiff_t to_row) {
  const auto columns = [&](int k, int count, auto lanes) {
    V block[V::size];
    for (int n = 0; n < V::size; ++n) block[n] = n < rows ? lanes.load(from + n * from_row + k) : V(0);
    transpose(block);
    for (int j = 0; j < count; ++j) block[j].store(to + (k + j) * to_row);
  };
  int k = 0;
  for (; k + V::size <= width; k += V::size) columns(k, V::size, whole<V>{});
  if (k < width) columns(k, width - k, part<V>(width - k));
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
