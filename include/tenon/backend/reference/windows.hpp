// Windows along an axis: copies the places of each window side by side, and adds gradients back to the places.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/tag.hpp"
#include "tenon/program/windows.hpp"

namespace tenon::inline v0_1::backend {

// y[window, r, k * D + j] = x[place of the window's neighbour k, r, j]; `outside` if there is no such place: past the borders
// and, if lengths are given, past the end of a row
template <int D, class T>
void gather_windows(reference, const ir::windows& w, const ir::extents& over, int rows, const int* lengths,
                    T outside, const operand<const T>& x, const operand<T>& y) {
  ir::walk_windows(w, over, [&](int window, int k, int place) {
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < D; ++j)
        y.data[window * y.step + r * y.row + k * D + j] =
            place < 0 || (lengths != nullptr && place >= lengths[r]) ? outside
                                                                     : x.data[place * x.step + r * x.row + j];
  });
}
// dx[place, r, j] = the sum of g[window, r, k * D + j] over all neighbours k that are there, in the order of the windows
template <int D, class T>
void sum_windows(reference, const ir::windows& w, const ir::extents& over, int rows,
                 const operand<const T>& g, const operand<T>& dx) {
  for (int place = 0; place < over.places(); ++place)
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < D; ++j) dx.data[place * dx.step + r * dx.row + j] = T(0);
  ir::walk_windows(w, over, [&](int window, int k, int place) {
    for (int r = 0; r < rows && place >= 0; ++r)
      for (int j = 0; j < D; ++j)
        dx.data[place * dx.step + r * dx.row + j] += g.data[window * g.step + r * g.row + k * D + j];
  });
}

}  // namespace tenon::inline v0_1::backend
