// Runs of windows and of places: together they contain the neighbours that walk_windows finds, each once.
#include "tenon/backend/cpu/window_runs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tenon::test {

using neighbour = std::array<int, 3>;  // a window, the number of its neighbour, and the place of that

std::vector<neighbour> neighbours_of(const ir::windows_along& w, int places) {
  std::vector<neighbour> all;
  ir::walk_windows({.horizontal = w}, {1, places}, [&](int window, int k, int place) {
    if (place >= 0) all.push_back({window, k, place});
  });
  std::sort(all.begin(), all.end());
  return all;
}

template <class F>
void for_all_shapes(F f) {
  for (int size = 1; size <= 4; ++size)
    for (int stride = 1; stride <= 3; ++stride)
      for (int dilation = 1; dilation <= 3; ++dilation)
        for (int before : {0, 1, 3})
          for (int behind : {0, 2})
            for (int places : {1, 2, 5, 11})
              f(ir::windows_along{size, stride, dilation, before, behind}, places);
}

TEST_CASE("runs of windows have each neighbour that is there once") {
  int seen = 0;
  for_all_shapes([&](const ir::windows_along& w, int places) {
    const int made = w.count(places);
    for (int cut : {0, made / 2}) {  // in one piece, and in two
      std::vector<neighbour> all;
      std::vector<int> windows;
      const auto add = [&](const ir::window_run& run) {
        for (int q = 0; q < run.count; ++q) {
          windows.push_back(run.first + q * run.distance);
          for (int t = 0; t < run.taps; ++t)
            all.push_back({windows.back(), run.tap + t * run.tap_distance,
                           run.source + q * run.source_distance + t * run.tap_source});
        }
      };
      ir::for_runs_of_windows(w, places, 0, cut, add);
      ir::for_runs_of_windows(w, places, cut, made, add);
      REQUIRE(windows.size() == static_cast<std::size_t>(made));  // those without neighbours, too
      for (int k = 0; k < made; ++k) REQUIRE(windows[static_cast<std::size_t>(k)] == k);
      std::sort(all.begin(), all.end());
      REQUIRE(all == neighbours_of(w, places));
      seen += static_cast<int>(all.size());
    }
  });
  CHECK(seen > 1000);
}

TEST_CASE("runs of places have each window of a place once") {
  for_all_shapes([&](const ir::windows_along& w, int places) {
    std::vector<neighbour> all;
    std::vector<int> reached;
    ir::for_runs_of_places(w, places, [&](const ir::window_run& run) {
      for (int q = 0; q < run.count; ++q) {
        reached.push_back(run.first + q * run.distance);
        for (int t = 0; t < run.taps; ++t)
          all.push_back({run.source + q * run.source_distance + t * run.tap_source,
                         run.tap + t * run.tap_distance, reached.back()});
      }
    });
    std::sort(all.begin(), all.end());
    std::sort(reached.begin(), reached.end());
    REQUIRE(all == neighbours_of(w, places));
    REQUIRE(reached.size() == static_cast<std::size_t>(places));  // each is written once
    for (int k = 0; k < places; ++k) REQUIRE(reached[static_cast<std::size_t>(k)] == k);
  });
}

}  // namespace tenon::test
