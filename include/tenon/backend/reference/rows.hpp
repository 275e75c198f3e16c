// Kernels on whole rows: table look-up, sequence ends, accumulation.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/tag.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend {

// out[r, :] = table[token[r], :], zeros where the token is negative (padding)
template <int D, class T>
void gather(reference, int rows, const int* tokens, const T* table, T* out, std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < D; ++j)
      out[r * out_stride + j] = tokens[r] < 0 ? T(0) : table[std::ptrdiff_t(tokens[r]) * D + j];
}
// dtable[token[r], :] += g[r, :], in the order of the rows; negative tokens and `skipped` (padding_idx) get
// nothing
template <int D, class T>
void scatter_add(reference, int rows, const int* tokens, const T* g, std::ptrdiff_t g_stride, int skipped,
                 T* dtable) {
  for (int r = 0; r < rows; ++r)
    if (tokens[r] >= 0 && tokens[r] != skipped)
      for (int j = 0; j < D; ++j) dtable[std::ptrdiff_t(tokens[r]) * D + j] += g[r * g_stride + j];
}
// The same, each g[r, :] divided by how many of the `all_count` tokens are token[r].
template <int D, class T>
void scatter_add_by_frequency(reference, int rows, const int* tokens, int all_count, const int* all_tokens,
                              const T* g, std::ptrdiff_t g_stride, int skipped, T* dtable) {
  for (int r = 0; r < rows; ++r) {
    if (tokens[r] < 0 || tokens[r] == skipped) continue;
    int count = 0;
    for (int k = 0; k < all_count; ++k) count += all_tokens[k] == tokens[r];
    const T share = T(1) / static_cast<T>(count);
    for (int j = 0; j < D; ++j) dtable[std::ptrdiff_t(tokens[r]) * D + j] += share * g[r * g_stride + j];
  }
}
// data[t, r, :] = 0 where first + t >= lengths[r]
template <int D, class T>
void clear_past_end(reference, int first, int steps, int rows, const int* lengths, const operand<T>& y) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      if (first + t >= lengths[r])
        for (int j = 0; j < D; ++j) y.data[t * y.step + r * y.row + j] = T(0);
}
// to[r, :] = from[r, :] for the rows that have (active) or have not (!active) reached step t before their end
template <int D, class T>
void copy_rows_where(reference, bool active, int t, int rows, const int* lengths, const T* from,
                     std::ptrdiff_t from_stride, T* to, std::ptrdiff_t to_stride) {
  for (int r = 0; r < rows; ++r)
    if ((t < lengths[r]) == active)
      for (int j = 0; j < D; ++j) to[r * to_stride + j] = from[r * from_stride + j];
}
// to[r, :] = from[r, :]
template <int D, class T>
void copy_rows(reference, int rows, const T* from, std::ptrdiff_t from_stride, T* to,
               std::ptrdiff_t to_stride) {
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < D; ++j) to[r * to_stride + j] = from[r * from_stride + j];
}
// to[r, :] += from[r, :]
template <int D, class T>
void accumulate_rows(reference, int rows, const T* from, std::ptrdiff_t from_stride, T* to,
                     std::ptrdiff_t to_stride) {
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < D; ++j) to[r * to_stride + j] += from[r * from_stride + j];
}

// out[k] = value
template <class T>
void set_all(reference, std::ptrdiff_t count, T value, T* out) {
  for (std::ptrdiff_t k = 0; k < count; ++k) out[k] = value;
}
// out[r, :] = 0
template <int D, class T>
void clear_rows(reference, int rows, T* out, std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    for (int j = 0; j < D; ++j) out[r * out_stride + j] = T(0);
}
// out[r, :] = 0 for the rows that have ended before step t
template <int D, class T>
void clear_ended_rows(reference, int t, int rows, const int* lengths, T* out, std::ptrdiff_t out_stride) {
  for (int r = 0; r < rows; ++r)
    if (t >= lengths[r])
      for (int j = 0; j < D; ++j) out[r * out_stride + j] = T(0);
}

// The next two work on a block of steps. earlier[t, r] = n is the number of steps that row r has taken before step t of the block,
// one more at each of its steps; -1 from the step on at which it has ended. `room`: the steps that are kept.
//
// kept[n mod room, r, :] = from[t, r, :]
template <int D, class T>
void keep_rows(reference, int steps, int rows, int room, const int* earlier, const operand<const T>& from,
               T* kept) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      if (const int n = earlier[t * rows + r]; n >= 0)
        for (int j = 0; j < D; ++j)
          kept[(std::ptrdiff_t(n % room) * rows + r) * D + j] = from.data[t * from.step + r * from.row + j];
}
// to[t, r, :] = kept[(n - back) mod room, r, :]; `outside` if there was no such step, 0 if the row has ended
template <int D, class T>
void earlier_rows(reference, int steps, int rows, int room, const int* earlier, int back, T outside,
                  const T* kept, const operand<T>& to) {
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r) {
      const int n = earlier[t * rows + r], step = n - back;
      for (int j = 0; j < D; ++j)
        to.data[t * to.step + r * to.row + j] = step >= 0
                                                    ? kept[(std::ptrdiff_t(step % room) * rows + r) * D + j]
                                                : n < 0 ? T(0)
                                                        : outside;
    }
}

// out[r] = inner[r], 0 for the rows that have ended before step t of the outer axis
inline void lengths_at(reference, int t, int rows, const int* outer, const int* inner, int* out) {
  for (int r = 0; r < rows; ++r) out[r] = t < outer[r] ? inner[r] : 0;
}
// How many tokens are not negative.
inline int count_tokens(reference, int rows, const int* tokens) {
  int count = 0;
  for (int r = 0; r < rows; ++r) count += tokens[r] >= 0;
  return count;
}
// out[r] = tokens[r]
template <class T>
void numbers_of_tokens(reference, int rows, const int* tokens, T* out) {
  for (int r = 0; r < rows; ++r) out[r] = static_cast<T>(tokens[r]);
}
// out[k] = k
template <class T>
void count_up(reference, int size, T* out) {
  for (int k = 0; k < size; ++k) out[k] = static_cast<T>(k);
}

}  // namespace tenon::inline v0_1::backend
