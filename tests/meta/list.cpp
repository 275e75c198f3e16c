// list: it grows up to its capacity, also in constant evaluation, and is compared by its items.
#include "tenon/meta/list.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace tenon::inline v0_1::ir {

namespace {

constexpr list<int, 4> filled() {
  list<int, 4> all{3, 1};
  all.add(2);
  return all;
}
static_assert(filled().size == 3 && list<int, 4>::capacity == 4);
static_assert(filled()[2] == 2 && filled().last() == 2);
static_assert(filled().find(1) == 1 && filled().find(7) == -1);
static_assert(list<int, 4>{}.empty() && !filled().empty());
static_assert(filled() == list<int, 4>{3, 1, 2} && !(filled() == list<int, 4>{3, 1}));
static_assert(list<int, 0>{}.begin() == list<int, 0>{}.end() || list<int, 0>{}.empty());

// Elements past the end do not count.
constexpr bool forgets_what_is_behind = [] {
  list<int, 4> all{5, 6};
  all.size = 1;
  return all == list<int, 4>{5} && all.find(6) == -1;
}();
static_assert(forgets_what_is_behind);

// A list as a template argument: once for all lists of the same items.
constexpr list<int, 2> one_two() { return {1, 2}; }
constexpr const void* there = &constant_list<list<int, 2>{1, 2}>;
static_assert(there == &constant_list<one_two()>);
static_assert(constant_list<list<int, 2>{1, 2}>[1] == 2);

}  // namespace

TEST_CASE("a position is returned, items are changed in place, and no more fit than there is room for") {
  list<int, 3> all;
  CHECK(all.add(4) == 0);
  CHECK(all.add(5) == 1);
  all[0] = 7;
  for (int& item : all) ++item;
  CHECK(std::accumulate(all.begin(), all.end(), 0) == 14);
  CHECK(all.add(1) == 2);
  CHECK_THROWS(all.add(2));
  CHECK(all.size == 3);
}

}  // namespace tenon::inline v0_1::ir
