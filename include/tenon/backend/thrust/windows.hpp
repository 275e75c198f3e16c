// Windows along an axis on Thrust: one thread for each number of a result. See reference/windows.hpp for the formulas.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"
#include "tenon/program/windows.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

// Windows as plain numbers, for the arithmetic of a thread.
struct window_line {
  int size, stride, dilation, before, count;
  // The place of neighbour k of a window.
  TENON_HOST_DEVICE constexpr int place(int window, int k) const {
    return window * stride - before + k * dilation;
  }
  // The window whose neighbour k is at this place; -1: there is none.
  TENON_HOST_DEVICE constexpr int window(int place, int k) const {
    const int first = place + before - k * dilation;
    return first < 0 || first % stride != 0 || first / stride >= count ? -1 : first / stride;
  }
};
inline window_line line_of(const ir::windows_along& w, int places) {
  return {w.size, w.stride, w.dilation, w.before, w.count(places)};
}

template <int D, class T>
struct gather_neighbour {
  window_line vertical, horizontal;
  int height, width, rows;
  const int* lengths;
  T outside;
  operand<const T> x;
  operand<T> y;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const int size = vertical.size * horizontal.size;
    const auto [row, column] = row_of(index, size * D);
    const auto [window, r] = step_of(row, rows);
    const int k = column / D, j = column % D;
    const int line = vertical.place(window / horizontal.count, k / horizontal.size),
              along = horizontal.place(window % horizontal.count, k % horizontal.size);
    const int place = line * width + along;
    const bool is_there = 0 <= line && line < height && 0 <= along && along < width &&
                          (lengths == nullptr || place < lengths[r]);
    y.data[window * y.step + r * y.row + column] =
        is_there ? x.data[place * x.step + r * x.row + j] : outside;
  }
};
// Goes through the neighbours from the last to the first, so that windows are added up in their order.
template <int D, class T>
struct sum_at_place {
  window_line vertical, horizontal;
  int width, rows;
  operand<const T> g;
  operand<T> dx;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, j] = row_of(index, D);
    const auto [place, r] = step_of(row, rows);
    T sum = 0;
    for (int a = vertical.size - 1; a >= 0; --a) {
      const int line = vertical.window(place / width, a);
      for (int b = horizontal.size - 1; line >= 0 && b >= 0; --b)
        if (const int along = horizontal.window(place % width, b); along >= 0)
          sum += g.data[(line * horizontal.count + along) * g.step + r * g.row +
                        (a * horizontal.size + b) * D + j];
    }
    dx.data[place * dx.step + r * dx.row + j] = sum;
  }
};

}  // namespace thrust_detail

template <int D, class T>
void gather_windows(thrust_device, const ir::windows& w, const ir::extents& over, int rows,
                    const int* lengths, T outside, const operand<const T>& x, const operand<T>& y) {
  const thrust_detail::gather_neighbour<D, T> one{thrust_detail::line_of(w.vertical, over.height),
                                                  thrust_detail::line_of(w.horizontal, over.width),
                                                  over.height,
                                                  over.width,
                                                  rows,
                                                  lengths,
                                                  outside,
                                                  x,
                                                  y};
  const std::ptrdiff_t windows = std::ptrdiff_t(one.vertical.count) * one.horizontal.count;
  thrust_detail::for_each_index(windows * rows * w.size() * D, one);
}
template <int D, class T>
void sum_windows(thrust_device, const ir::windows& w, const ir::extents& over, int rows,
                 const operand<const T>& g, const operand<T>& dx) {
  thrust_detail::for_each_index(
      std::ptrdiff_t(over.places()) * rows * D,
      thrust_detail::sum_at_place<D, T>{thrust_detail::line_of(w.vertical, over.height),
                                        thrust_detail::line_of(w.horizontal, over.width), over.width, rows, g,
                                        dx});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
