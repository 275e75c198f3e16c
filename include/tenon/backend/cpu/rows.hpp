// Kernels on whole rows: copies use the C library, sums are vector loops.
#pragma once

#include "tenon/backend/cpu/simd.hpp"
#include "tenon/backend/cpu/tag.hpp"
#include "tenon/backend/operand.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {
template <int D, class T>
void copy_row(const T* from, T* to) {
  std::memcpy(to, from, D * sizeof(T));
}
// Asks for a row's cache lines: rows of a large table are found by tokens, which no processor foresees.
template <int D, class T>
void fetch_row(const T* row) {
  for (std::size_t k = 0; k < D * sizeof(T); k += 64)
    __builtin_prefetch(reinterpret_cast<const char*>(row) + k);
}
// How many rows before it is used.
inline constexpr int fetched_rows = 3;
template <int D, class T>
void fetch_token(int r, int rows, const int* tokens, const T* table) {
  if (r < rows && tokens[r] >= 0) fetch_row<D>(table + std::ptrdiff_t(tokens[r]) * D);
}
template <int D, class T>
void clear_row(T* to) {
  std::memset(to, 0, D * sizeof(T));
}
template <int D, class T>
void add_row(const T* from, T* to) {
  simd::for_vectors<D, T>(
      [&](int j, auto lanes) { lanes.store(to + j, lanes.load(to + j) + lanes.load(from + j)); });
}
// out[j] += sum_t weight(t) values[t * step + j], several vectors at once, so that rows are read from left to right
template <int D, class T, class Weight>
void sum_rows(int steps, const T* values, std::ptrdiff_t step, T* out, Weight weight) {
  using V = simd::vector<T>;
  constexpr int together = 4, block = together * V::size, full = D / block * block;
  for (int j = 0; j < full; j += block) {
    V total[together];
    repeat<together>([&](auto v) { total[v] = V::load(out + j + v * V::size); });
    for (int t = 0; t < steps; ++t) {
      const V w = weight(t);
      repeat<together>(
          [&](auto v) { total[v] = fma(w, V::load(values + t * step + j + v * V::size), total[v]); });
    }
    repeat<together>([&](auto v) { total[v].store(out + j + v * V::size); });
  }
  simd::for_vectors<D - full, T>([&](int j, auto lanes) {
    V total = lanes.load(out + full + j);
    for (int t = 0; t < steps; ++t) total = fma(weight(t), lanes.load(values + t * step + full + j), total);
    lanes.store(out + full + j, total);
  });
}
}  // namespace detail

// out[r, :] = table[token[r], :], zeros where the token is negative (padding)
template <int D, class T>
void gather(cpu, int rows, const int* tokens, const T* table, T* out, std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r) {
    detail::fetch_token<D>(r + detail::fetched_rows, rows, tokens, table);
    if (tokens[r] < 0) detail::clear_row<D>(out + r * out_stride);
    else detail::copy_row<D>(table + std::ptrdiff_t(tokens[r]) * D, out + r * out_stride);
  }
}
// dtable[token[r], :] += g[r, :], in the order of the rows; negative tokens and `skipped` (padding_idx) get
// nothing
template <int D, class T>
void scatter_add(cpu, int rows, const int* tokens, const T* g, std::ptrdiff_t g_stride, int skipped,
                 T* dtable) {
  for (int r = 0; r < rows; ++r) {
    detail::fetch_token<D>(r + detail::fetched_rows, rows, tokens, static_cast<const T*>(dtable));
    if (tokens[r] >= 0 && tokens[r] != skipped)
      detail::add_row<D>(g + r * g_stride, dtable + std::ptrdiff_t(tokens[r]) * D);
  }
}
// data[t, r, :] = 0 where first + t >= lengths[r]
template <int D, class T>
void clear_past_end(cpu, int first, int steps, int rows, const int* lengths, const operand<T>& y) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      if (first + t >= lengths[r]) detail::clear_row<D>(y.data + t * y.step + r * y.row);
}
// to[r, :] = from[r, :] for the rows that have (active) or have not (!active) reached step t before their end
template <int D, class T>
void copy_rows_where(cpu, bool active, int t, int rows, const int* lengths, const T* from,
                     std::ptrdiff_t from_stride, T* to, std::ptrdiff_t to_stride) {
  for (int r = 0; r < rows; ++r)
    if ((t < lengths[r]) == active) detail::copy_row<D>(from + r * from_stride, to + r * to_stride);
}
// out[k] = value
template <class T>
void set_all(cpu, std::ptrdiff_t count, T value, T* out) {
  std::fill_n(out, count, value);
}
// out[r, :] = 0
template <int D, class T>
void clear_rows(cpu, int rows, T* out, std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r) detail::clear_row<D>(out + r * out_stride);
}
// out[r, :] = 0 for the rows that have ended before step t
template <int D, class T>
void clear_ended_rows(cpu, int t, int rows, const int* lengths, T* out, std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    if (t >= lengths[r]) detail::clear_row<D>(out + r * out_stride);
}
// to[r, :] = from[r, :]
template <int D, class T>
void copy_rows(cpu, int rows, const T* from, std::ptrdiff_t from_stride, T* to, std::ptrdiff_t to_stride) {
  for (int r = 0; r < rows; ++r) detail::copy_row<D>(from + r * from_stride, to + r * to_stride);
}
// to[r, :] += from[r, :]
template <int D, class T>
void accumulate_rows(cpu, int rows, const T* from, std::ptrdiff_t from_stride, T* to,
                     std::ptrdiff_t to_stride) {
  for (int r = 0; r < rows; ++r) detail::add_row<D>(from + r * from_stride, to + r * to_stride);
}
// See the reference: the place in the ring follows from that of the step before.
template <int D, class T>
void keep_rows(cpu, int steps, int rows, int room, const int* earlier, const operand<const T>& from,
               T* kept) {
  for (int r = 0; r < rows; ++r) {
    if (earlier[r] < 0) continue;
    int place = earlier[r] % room;
    for (int t = 0; t < steps && earlier[t * rows + r] >= 0; ++t) {
      detail::copy_row<D>(from.data + t * from.step + r * from.row,
                          kept + (std::ptrdiff_t(place) * rows + r) * D);
      if (++place == room) place = 0;
    }
  }
}
template <int D, class T>
void earlier_rows(cpu, int steps, int rows, int room, const int* earlier, int back, T outside, const T* kept,
                  const operand<T>& to) {
  for (int r = 0; r < rows; ++r) {
    T* row = to.data + r * to.row;
    int t = 0, step = earlier[r] - back;
    for (; t < steps && step < 0 && earlier[t * rows + r] >= 0; ++t, ++step, row += to.step)
      std::fill_n(row, D, outside);
    int place = step < 0 ? 0 : step % room;
    for (; t < steps && earlier[t * rows + r] >= 0; ++t, row += to.step) {
      detail::copy_row<D>(kept + (std::ptrdiff_t(place) * rows + r) * D, row);
      if (++place == room) place = 0;
    }
    for (; t < steps; ++t, row += to.step) detail::clear_row<D>(row);
  }
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
