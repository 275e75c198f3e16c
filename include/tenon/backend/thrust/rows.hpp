// Kernels on whole rows, on Thrust: table look-up, sequence ends, copies. See reference/rows.hpp for the formulas.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

template <int D, class T>
struct gather_number {
  const int* tokens;
  const T* table;
  T* out;
  std::ptrdiff_t out_row;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, j] = row_of(index, D);
    out[r * out_row + j] = tokens[r] < 0 ? T(0) : table[std::ptrdiff_t(tokens[r]) * D + j];
  }
};
template <int D, class T>
struct clear_number_past_end {
  int first, rows;
  const int* lengths;
  operand<T> y;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, j] = row_of(index, D);
    const auto [t, r] = step_of(row, rows);
    if (first + t >= lengths[r]) y.data[t * y.step + r * y.row + j] = T(0);
  }
};
// Rows that have (active) or have not (!active) reached step t before their end. No lengths: all rows.
template <int D, class T, bool Adds = false>
struct move_number {
  const T* from;
  T* to;
  std::ptrdiff_t from_row, to_row;
  const int* lengths = nullptr;
  int t = 0;
  bool active = true;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, j] = row_of(index, D);
    if (lengths != nullptr && (t < lengths[r]) != active) return;
    const T x = from[r * from_row + j];
    T& y = to[r * to_row + j];
    y = Adds ? y + x : x;
  }
};
inline constexpr int passed_together = 4;
template <class T>
struct clear_number_of_block {
  int count;
  block_of_numbers<T> blocks[passed_together];
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    int n = 0;
    for (; n + 1 < count && index >= blocks[n].count; ++n) index -= blocks[n].count;
    blocks[n].data[index] = T(0);
  }
};
template <class T>
struct pass_number {
  bool active;
  int t, rows, count;
  const int* lengths;
  passed_rows<T> of[passed_together];
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    int n = 0;
    for (; n + 1 < count && index >= std::ptrdiff_t(rows) * of[n].width; ++n)
      index -= std::ptrdiff_t(rows) * of[n].width;
    const bool is_active = t < lengths[index / of[n].width];
    if (is_active == active) of[n].to[index] = of[n].from[index];
    else if (active) of[n].to[index] = T(0);
  }
};
template <class T>
struct set_number {
  T value;
  T* out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const { out[k] = value; }
};
// Clears all rows, or those that have ended before step t.
template <int D, class T>
struct clear_number {
  T* out;
  std::ptrdiff_t out_row;
  const int* lengths = nullptr;
  int t = 0;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [r, j] = row_of(index, D);
    if (lengths == nullptr || t >= lengths[r]) out[r * out_row + j] = T(0);
  }
};
// See keep_rows and earlier_rows of the reference.
template <int D, class T>
struct keep_number {
  int rows, room;
  const int* earlier;
  operand<const T> from;
  T* kept;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, j] = row_of(index, D);
    const std::ptrdiff_t t = row / rows, r = row % rows;
    if (earlier[row] >= 0)
      kept[(std::ptrdiff_t(earlier[row] % room) * rows + r) * D + j] =
          from.data[t * from.step + r * from.row + j];
  }
};
template <int D, class T>
struct earlier_number {
  int rows, room;
  const int* earlier;
  int back;
  T outside;
  const T* kept;
  operand<T> to;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, j] = row_of(index, D);
    const std::ptrdiff_t t = row / rows, r = row % rows;
    const int step = earlier[row] - back;
    T y = earlier[row] < 0 ? T(0) : outside;
    if (step >= 0) y = kept[(std::ptrdiff_t(step % room) * rows + r) * D + j];
    to.data[t * to.step + r * to.row + j] = y;
  }
};
struct length_at_step {
  int t;
  const int *outer, *inner;
  int* out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t r) const { out[r] = t < outer[r] ? inner[r] : 0; }
};
template <class T>
struct number_of_token {
  const int* tokens;
  T* out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t r) const { out[r] = static_cast<T>(tokens[r]); }
};
template <class T>
struct own_index {
  T* out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const { out[k] = static_cast<T>(k); }
};

}  // namespace thrust_detail

template <int D, class T>
void gather(thrust_device, int rows, const int* tokens, const T* table, T* out, std::ptrdiff_t out_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * D,
                                thrust_detail::gather_number<D, T>{tokens, table, out, out_stride});
}
template <int D, class T>
void clear_past_end(thrust_device, int first, int steps, int rows, const int* lengths, const operand<T>& y) {
  thrust_detail::for_each_index(std::ptrdiff_t(steps) * rows * D,
                                thrust_detail::clear_number_past_end<D, T>{first, rows, lengths, y});
}
template <int D, class T>
void copy_rows_where(thrust_device, bool active, int t, int rows, const int* lengths, const T* from,
                     std::ptrdiff_t from_stride, T* to, std::ptrdiff_t to_stride) {
  thrust_detail::for_each_index(
      std::ptrdiff_t(rows) * D,
      thrust_detail::move_number<D, T>{from, to, from_stride, to_stride, lengths, t, active});
}
// Copies rows of several values at once. active: rows that have not ended before step t, zeros for the others. !active: only the rows
// that have ended.
template <class T>
void pass_rows(thrust_device, bool active, int t, int rows, const int* lengths, int count,
               const passed_rows<T>* values) {
  constexpr int together = thrust_detail::passed_together;
  for (int first = 0; first < count; first += together) {
    thrust_detail::pass_number<T> all{active,  t, rows, count - first < together ? count - first : together,
                                      lengths, {}};
    std::ptrdiff_t numbers = 0;
    for (int n = 0; n < all.count; ++n) {
      all.of[n] = values[first + n];
      numbers += std::ptrdiff_t(rows) * all.of[n].width;
    }
    thrust_detail::for_each_index(numbers, all);
  }
}
template <class T>
void clear_blocks(thrust_device, int count, const block_of_numbers<T>* blocks) {
  constexpr int together = thrust_detail::passed_together;
  for (int first = 0; first < count; first += together) {
    thrust_detail::clear_number_of_block<T> all{count - first < together ? count - first : together, {}};
    std::ptrdiff_t numbers = 0;
    for (int n = 0; n < all.count; ++n) {
      all.blocks[n] = blocks[first + n];
      numbers += all.blocks[n].count;
    }
    thrust_detail::for_each_index(numbers, all);
  }
}
template <int D, class T>
void copy_rows(thrust_device, int rows, const T* from, std::ptrdiff_t from_stride, T* to,
               std::ptrdiff_t to_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * D,
                                thrust_detail::move_number<D, T>{from, to, from_stride, to_stride});
}
template <int D, class T>
void accumulate_rows(thrust_device, int rows, const T* from, std::ptrdiff_t from_stride, T* to,
                     std::ptrdiff_t to_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * D,
                                thrust_detail::move_number<D, T, true>{from, to, from_stride, to_stride});
}
template <class T>
void set_all(thrust_device, std::ptrdiff_t count, T value, T* out) {
  thrust_detail::for_each_index(count, thrust_detail::set_number<T>{value, out});
}
template <int D, class T>
void clear_rows(thrust_device, int rows, T* out, std::ptrdiff_t out_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * D, thrust_detail::clear_number<D, T>{out, out_stride});
}
template <int D, class T>
void clear_ended_rows(thrust_device, int t, int rows, const int* lengths, T* out, std::ptrdiff_t out_stride) {
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * D,
                                thrust_detail::clear_number<D, T>{out, out_stride, lengths, t});
}
template <int D, class T>
void keep_rows(thrust_device, int steps, int rows, int room, const int* earlier, const operand<const T>& from,
               T* kept) {
  thrust_detail::for_each_index(std::ptrdiff_t(steps) * rows * D,
                                thrust_detail::keep_number<D, T>{rows, room, earlier, from, kept});
}
template <int D, class T>
void earlier_rows(thrust_device, int steps, int rows, int room, const int* earlier, int back, T outside,
                  const T* kept, const operand<T>& to) {
  thrust_detail::for_each_index(
      std::ptrdiff_t(steps) * rows * D,
      thrust_detail::earlier_number<D, T>{rows, room, earlier, back, outside, kept, to});
}
inline void lengths_at(thrust_device, int t, int rows, const int* outer, const int* inner, int* out) {
  thrust_detail::for_each_index(rows, thrust_detail::length_at_step{t, outer, inner, out});
}
template <class T>
void numbers_of_tokens(thrust_device, int rows, const int* tokens, T* out) {
  thrust_detail::for_each_index(rows, thrust_detail::number_of_token<T>{tokens, out});
}
template <class T>
void count_up(thrust_device, int size, T* out) {
  thrust_detail::for_each_index(size, thrust_detail::own_index<T>{out});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
