// Runs of windows that have the same neighbours inside the borders, and runs of places that are the same neighbours of windows:
// a convolution computes a whole run by one product.
#pragma once

#include "tenon/program/windows.hpp"

#include <algorithm>

namespace tenon::inline v0_1::ir {

// Along one dimension: result q, 0 <= q < count, is at `first + q * distance`. It reads `taps` neighbours: the t-th is at
// `source + q * source_distance + t * tap_source`, and is neighbour `tap + t * tap_distance` of a window.
struct window_run {
  int first, distance, count;
  int source, source_distance;
  int tap, tap_distance, taps, tap_source;
};

namespace detail {
// The end of the run that begins at `first`: is_same is true up to there and false behind it, because from window to window, or from
// place to place, the first and the last neighbour move one way only.
template <class IsSame>
constexpr int end_of_run(int first, int end, IsSame is_same) {
  while (end - first > 1) {
    const int middle = first + (end - first) / 2;
    (is_same(middle) ? first : end) = middle;
  }
  return end;
}
}  // namespace detail

// Calls f(run) for the windows [begin, end): each window reads the neighbours it has inside the borders.
template <class F>
constexpr void for_runs_of_windows(const windows_along& w, int places, int begin, int end, F f) {
  struct inside {
    int first, count;
    constexpr bool operator==(const inside&) const = default;
  };
  const auto neighbours = [&](int window) {
    int k = 0, last = w.size;
    while (k < w.size && w.place(window, k) < 0) ++k;
    while (last > k && w.place(window, last - 1) >= places) --last;
    return inside{k, last - k};
  };
  for (int x = begin, next; x < end; x = next) {
    const inside mine = neighbours(x);
    next = detail::end_of_run(x, end, [&](int window) { return neighbours(window) == mine; });
    f(window_run{x, 1, next - x, w.place(x, mine.first), w.stride, mine.first, 1, mine.count, w.dilation});
  }
}

// Calls f(run) for all places: each place reads the windows that have it as a neighbour, as number tap + t * tap_distance.
template <class F>
constexpr void for_runs_of_places(const windows_along& w, int places, F f) {
  const int made = w.count(places);
  // Two neighbours `apart` apart are the same place in two windows `windows_apart` apart.
  int apart = 1;
  while (apart * w.dilation % w.stride != 0) ++apart;
  const int windows_apart = apart * w.dilation / w.stride;
  for (int phase = 0; phase < w.stride && phase < places; ++phase) {
    int tap = 0;
    while (tap < w.size && (phase + w.before - tap * w.dilation) % w.stride != 0) ++tap;
    const int taps = tap < w.size ? (w.size - 1 - tap) / apart + 1 : 0;
    const int all = (places - phase + w.stride - 1) / w.stride;
    const auto window = [&](int q, int t) {  // of the place phase + q * stride
      return (phase + w.before - tap * w.dilation) / w.stride + q - t * windows_apart;
    };
    const auto first_inside = [&](int q) {
      int t = 0;
      while (t < taps && window(q, t) >= made) ++t;
      return t;
    };
    const auto end_inside = [&](int q) {
      int t = taps;
      while (t > 0 && window(q, t - 1) < 0) --t;
      return t;
    };
    for (int q = 0, next; q < all; q = next) {
      const int first = first_inside(q), end = std::max(first, end_inside(q));
      next = detail::end_of_run(q, all, [&](int place) {
        return first_inside(place) == first && std::max(first, end_inside(place)) == end;
      });
      f(window_run{phase + q * w.stride, w.stride, next - q, window(q, first), 1, tap + first * apart, apart,
                   end - first, -windows_apart});
    }
  }
}

}  // namespace tenon::inline v0_1::ir
