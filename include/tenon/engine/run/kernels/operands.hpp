// The addresses of the rows of an operand: a place at a time step, and from there on along an axis.
#pragma once

#include "tenon/engine/plan/packing.hpp"
#include "tenon/engine/plan/program_memory.hpp"
#include "tenon/meta/host_device.hpp"

namespace tenon::inline v0_1::engine::detail {

template <class Schedule>
constexpr place place_of(int value) {
  return Schedule::value.places[value];
}

// The rows of a place at time step t, or from there on along an axis.
template <dimension Axis, class T>
inline operand<T> rows_of(const operand<T>& b, const place& p, int t) {
  const std::ptrdiff_t before = has_axis(p.rows, dimension::time) ? t * b.step : 0;
  return {b.data + before + p.column, b.row, has_axis(p.rows, Axis) ? b.step : 0};
}
template <dimension Axis, class T, program_counts C>
inline operand<T> rows_in_buffer(const program_memory<T, C>& m, const place& p, int t) {
  const operand<T> whole{m.buffers[p.index], p.stride, std::ptrdiff_t(m.batch) * p.stride};
  return rows_of<Axis>(whole, p, t - m.first_step);
}
template <dimension Axis, class T, program_counts C>
inline operand<const T> source(const program_memory<T, C>& m, const place& p, int t) {
  if (p.in == space::parameter) return {m.symbols[p.index], 0, 0};
  return p.in == space::buffer   ? as_source(rows_in_buffer<Axis>(m, p, t))
         : p.in == space::output ? as_source(rows_of<Axis>(m.out[p.index], p, t))
                                 : rows_of<Axis>(m.in[p.index], p, t);
}
template <dimension Axis, class T, program_counts C>
inline operand<T> target(const program_memory<T, C>& m, const place& p, int t) {
  return p.in == space::buffer ? rows_in_buffer<Axis>(m, p, t) : rows_of<Axis>(m.out[p.index], p, t);
}
template <dimension Axis, class T, program_counts C>
inline const int* lengths_of(const program_memory<T, C>& m) {
  return Axis == dimension::inner ? m.inner_lengths : m.lengths;
}

// Only in sums over rows can one row affect another. Elements past a sequence's end are zero; an equation may not be
// defined at zero, and 0 * inf is not zero. So before a sum, such rows of the program's own values are cleared.
template <dimension Axis, int Width, class Backend, class T, program_counts C>
void clear_padding(const program_memory<T, C>& m, const place& p, int t, int steps) {
  const int* const lengths = lengths_of<Axis>(m);
  if (lengths == nullptr || (p.in != space::buffer && p.in != space::input)) return;
  if (p.in == space::input && !m.is_own[p.index]) return;
  const operand<const T> b = source<Axis>(m, p, t);
  clear_past_end<Width>(Backend{}, Axis == dimension::time ? t : 0, steps, m.batch, lengths,
                        backend::operand<T>{const_cast<T*>(b.data), b.row, b.step});
}

}  // namespace tenon::inline v0_1::engine::detail
