// Regions in one block: those that are live at the same time are apart, others share memory, each begins on a cache line.
#include "tenon/engine/plan/regions.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace tenon;
using engine::region;

namespace {

constexpr long line = builder::alignment;
static_assert(engine::in_whole_lines(0) == 0 && engine::in_whole_lines(1) == line);
static_assert(engine::in_whole_lines(line) == line && engine::in_whole_lines(line + 1) == 2 * line);
static_assert(engine::elements_of_lines(3) == 3 * line);

using regions = ir::list<region, 64>;
struct placed {
  regions all;
  long size = 0;
};
constexpr placed place(regions all) {
  placed p{all};
  p.size = engine::place_regions<20>(p.all);
  return p;
}

// One after the other in time: the same memory.
constexpr placed in_turn = place({region{line, 1, 3}, region{line, 4, 6}, region{line, 7, 9}});
static_assert(in_turn.size == line && in_turn.all[2].offset == 0);
// At the same time: side by side, even if only one time point is common.
constexpr placed together = place({region{line, 1, 4}, region{2 * line, 4, 6}});
static_assert(together.size == 3 * line && together.all[1].offset == line);
// The gap that the first leaves is filled by a region that fits, and not by one that does not.
constexpr placed gap =
    place({region{2 * line, 1, 3}, region{line, 1, 9}, region{line, 4, 6}, region{2 * line, 4, 6}});
static_assert(gap.all[2].offset == 0 && gap.all[3].offset == 3 * line && gap.size == 5 * line);
// Memory needed at only one time point is after the other regions, and is reused at the next time point.
constexpr placed scratch =
    place({region{line, 1, 9}, region{line, 3, 3}, region{line, 3, 3}, region{line, 4, 4}});
static_assert(scratch.all[1].offset == line && scratch.all[2].offset == 2 * line &&
              scratch.all[3].offset == line);
static_assert(scratch.size == 3 * line);
static_assert(place({region{0, 1, 9}}).size == 0);

}  // namespace

TEST_CASE("regions at random") {
  std::uint32_t state = 1;
  const auto below = [&](int n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 16) % static_cast<std::uint32_t>(n));
  };
  for (int trial = 0; trial < 200; ++trial) {
    regions all;
    for (int k = 0; k < 40; ++k) {
      const int first = below(20), last = below(3) == 0 ? first : first + below(20 - first);
      all.add({long(below(100)), first, last});
    }
    const placed p = place(all);
    for (int a = 0; a < 40; ++a) {
      const region& r = p.all[a];
      REQUIRE(r.offset % line == 0);
      REQUIRE((r.size == 0 || (r.offset >= 0 && r.offset + r.size <= p.size)));
      for (int b = 0; b < a; ++b) {
        const region& s = p.all[b];
        const bool in_time = r.first <= s.last && s.first <= r.last && r.size > 0 && s.size > 0;
        REQUIRE((!in_time || r.offset + r.size <= s.offset || s.offset + s.size <= r.offset));
      }
    }
  }
}
