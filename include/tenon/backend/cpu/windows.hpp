// Windows along an axis: copies are the C library's, sums are vector loops.
#pragma once

#include "tenon/backend/cpu/rows.hpp"
#include "tenon/program/windows.hpp"

#include <algorithm>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

// y[window, r, k * D + j] = x[place of the window's neighbour k, r, j]; `outside` if there is no such place: past the borders
// and, if lengths are given, past the end of a row
template <int D, class T>
void gather_windows(cpu, const ir::windows& w, const ir::extents& over, int rows, const int* lengths,
                    T outside, const operand<const T>& x, const operand<T>& y) {
  ir::walk_windows(w, over, [&](int window, int k, int place) {
    T* const to = y.data + window * y.step + k * D;
    const T* const from = x.data + place * x.step;
    for (int r = 0; r < rows; ++r) {
      const bool is_there = place >= 0 && (lengths == nullptr || place < lengths[r]);
      if (is_there) detail::copy_row<D>(from + r * x.row, to + r * y.row);
      else std::fill_n(to + r * y.row, D, outside);
    }
  });
}
// dx[place, r, j] = the sum of g[window, r, k * D + j] over all neighbours k that are there, in the order of the windows
template <int D, class T>
void sum_windows(cpu, const ir::windows& w, const ir::extents& over, int rows, const operand<const T>& g,
                 const operand<T>& dx) {
  for (int place = 0; place < over.places(); ++place)
    for (int r = 0; r < rows; ++r) detail::clear_row<D>(dx.data + place * dx.step + r * dx.row);
  ir::walk_windows(w, over, [&](int window, int k, int place) {
    const T* const from = g.data + window * g.step + k * D;
    T* const to = dx.data + place * dx.step;
    for (int r = 0; r < rows && place >= 0; ++r) detail::add_row<D>(from + r * g.row, to + r * dx.row);
  });
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
