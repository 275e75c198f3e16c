// Constants whose lists are only as long as their contents, and views of them.
#include "tenon/meta/shortened.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace {

using namespace tenon::ir;

template <class Lists>
struct basic_pair {
  typename Lists::template list<int, 512> numbers{};
  typename Lists::template list<char, 3> letters{};
  int sum = 0;

  constexpr int longest() const { return longest_of({numbers.size, letters.size}); }
  template <class Other>
  constexpr operator basic_pair<Other>() const {
    return {numbers, letters, sum};
  }
};

template <int Count>
struct counted {
  int first = 1;
  constexpr basic_pair<growing> make() const {
    basic_pair<growing> all;
    for (int k = 0; k < Count; ++k) all.sum += all.numbers.add(first + k) + 1;
    all.letters.add('a');
    return all;
  }
};
template <int Count, int Guess = 24>
using kept_of = shortened<counted<Count>, basic_pair, Guess>;

template <class Kept>
constexpr bool holds(int count) {
  const basic_pair<viewed> all = Kept::value;
  bool right = Kept::longest == (count > 1 ? count : 1) && all.numbers.size == count;
  right = right && all.letters.size == 1 && all.letters[0] == 'a' && all.sum == count * (count + 1) / 2;
  int next = 1;
  for (int n : all.numbers) right = right && n == next++;
  return right;
}
// No items, within the guess, exactly at a capacity, one more, and as many as a list can have; with a guess that is too
// small, and one that is too large.
static_assert(holds<kept_of<0>>(0) && holds<kept_of<5>>(5) && holds<kept_of<64>>(64) &&
              holds<kept_of<65>>(65));
static_assert(holds<kept_of<512>>(512) && holds<kept_of<512, 1>>(512) && holds<kept_of<3, 512>>(3));

// The kept list is as short as the guess that fits, for any capacity of the original list.
static_assert(sizeof(kept<16>::list<int, 512>) < 20 * sizeof(int) && kept<16>::list<char, 3>::capacity == 3);

// --- views ---
constexpr list<int, 8> three(4, 5, 6);
constexpr list<int, 3> full(4, 5, 6);
constexpr list_view<int> seen = three;
static_assert(seen.size == 3 && seen[1] == 5 && seen.last() == 6 && !seen.empty() &&
              list_view<int>().empty());
static_assert(seen.find(6) == 2 && seen.find(7) == -1 && seen.begin() + 3 == seen.end());
// Lists of any capacity and views are equal if their items are.
static_assert(seen == three && three == seen && seen == full && list<int, 8>(seen) == three);
static_assert(!(seen == list<int, 8>(4, 5)) && !(list_view<int>(list<int, 2>(4, 7)) == list<int, 2>(4, 5)));
// A view sees the current items of its list; a list constructed from it has its own.
constexpr bool follows() {
  list<int, 8> source(1, 2);
  const list_view<int> view = source;
  list<int, 4> copy(view);
  source[0] = 9;
  return view[0] == 9 && copy[0] == 1 && copy.size == 2 && list<int, 2>(source) == list<int, 2>(9, 2);
}
static_assert(follows());

TEST_CASE("a list that has no room for the items of a view says so") {
  const list<int, 8> many(1, 2, 3);
  CHECK_THROWS_AS((list<int, 2>(many)), const char*);
  CHECK((list<int, 3>(many).size) == 3);
}

}  // namespace
