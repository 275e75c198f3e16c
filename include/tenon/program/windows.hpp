// windows: groups of neighbours along an axis, and how many windows an axis has. The places of a sequence are in one
// dimension; those of a grid in two, line by line.
#pragma once

namespace tenon::inline v0_1::ir {

// Along one dimension: `size` neighbours, `dilation` places apart, around every `stride`-th place. `before` and
// `behind`: how many empty places are added before the first place and after the last.
struct windows_along {
  int size = 1, stride = 1, dilation = 1, before = 0, behind = 0;

  // From the first neighbour to the last.
  constexpr int span() const { return dilation * (size - 1) + 1; }
  // There are (places + surplus) / stride windows, rounded down: 0 if none fits, or if there are no places.
  constexpr int surplus() const { return before + behind - span() + stride; }
  constexpr int count(int places) const {
    return places <= 0 || places + surplus() < stride ? 0 : (places + surplus()) / stride;
  }
  // The place of neighbour k of a window; outside of [0, places) it is empty.
  constexpr int place(int window, int k) const { return window * stride - before + k * dilation; }
  constexpr bool is_padded() const { return before > 0 || behind > 0; }
  // Is there one window for each place, for any number of places?
  constexpr bool is_one_each() const { return stride == 1 && surplus() == 0; }
  // Are there as many windows as `o` has, for any number of places?
  constexpr bool counts_as(const windows_along& o) const {
    return stride == o.stride && surplus() == o.surplus();
  }
  constexpr bool operator==(const windows_along&) const = default;
};

// In both dimensions; a sequence has only the horizontal one.
struct windows {
  windows_along vertical{}, horizontal{};

  constexpr int size() const { return vertical.size * horizontal.size; }
  constexpr bool is_one_each() const { return vertical.is_one_each() && horizontal.is_one_each(); }
  constexpr bool counts_as(const windows& o) const {
    return vertical.counts_as(o.vertical) && horizontal.counts_as(o.horizontal);
  }
  constexpr bool operator==(const windows&) const = default;
};

// The lines and places of an image; a sequence is one line.
struct extents {
  int height = 1, width = 0;

  constexpr int places() const { return height * width; }
  constexpr bool operator==(const extents&) const = default;
};
constexpr extents count_windows(const windows& w, const extents& over) {
  return {w.vertical.count(over.height), w.horizontal.count(over.width)};
}

// Calls f(window, neighbour, place) for each neighbour of each window, in order; place is -1 if it is empty.
template <class F>
constexpr void walk_windows(const windows& w, const extents& over, F f) {
  const extents made = count_windows(w, over);
  for (int y = 0; y < made.height; ++y)
    for (int x = 0; x < made.width; ++x)
      for (int i = 0; i < w.vertical.size; ++i)
        for (int j = 0; j < w.horizontal.size; ++j) {
          const int line = w.vertical.place(y, i), column = w.horizontal.place(x, j);
          const bool is_there = 0 <= line && line < over.height && 0 <= column && column < over.width;
          f(y * made.width + x, i * w.horizontal.size + j, is_there ? line * over.width + column : -1);
        }
}

}  // namespace tenon::inline v0_1::ir
