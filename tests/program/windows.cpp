// The number and places of windows, against windows placed one after the other.
#include "tenon/program/windows.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::inline v0_1::ir {

TEST_CASE("as many windows as fit between the ends") {
  for (int size = 1; size <= 4; ++size)
    for (int stride = 1; stride <= 3; ++stride)
      for (int dilation = 1; dilation <= 2; ++dilation)
        for (int before = 0; before <= 2; ++before)
          for (int behind = 0; behind <= 2; ++behind)
            for (int places = 0; places <= 9; ++places) {
              const windows_along w{size, stride, dilation, before, behind};
              int fitting = 0;
              for (int first = -before; first + dilation * (size - 1) < places + behind; first += stride) {
                CHECK(w.place(fitting, 0) == first);
                CHECK(w.place(fitting, size - 1) == first + dilation * (size - 1));
                ++fitting;
              }
              CHECK(w.count(places) == (places == 0 ? 0 : fitting));
              CHECK((w.is_one_each() == (stride == 1 && before + behind == dilation * (size - 1))));
            }
}

TEST_CASE("neighbours of a grid, line after line") {
  // ..  1  2        windows of 2 x 2 at every other line, an empty line above
  //     3  4
  //     5  6
  const windows w{{.size = 2, .stride = 2, .before = 1}, {.size = 2}};
  REQUIRE(count_windows(w, {3, 2}) == extents{2, 1});
  std::vector<int> seen;
  walk_windows(w, {3, 2}, [&](int window, int k, int place) {
    CHECK(int(seen.size()) == window * 4 + k);
    seen.push_back(place);
  });
  CHECK(seen == std::vector<int>{-1, -1, 0, 1, 2, 3, 4, 5});
}

}  // namespace tenon::inline v0_1::ir
