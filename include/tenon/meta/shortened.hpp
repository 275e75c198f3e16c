// shortened<Maker, Value, Guess>: Value<growing> Maker::make() as a constant whose lists are hardly longer than their
// contents. A compiler keeps every element of a constant, including unused ones, and some compilers go through all of
// them wherever one is read (docs/decisions/0011). So the constants of a plan are short, and are read through a view.
#pragma once

#include "tenon/meta/list.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {

// A value with room for a limited number of items in each list, if that is enough.
template <class Short>
struct shortened_to {
  Short value{};
  int longest = 0;
};
// Only a few lengths, because each is a type of its own.
constexpr int room_for(int items) {
  int room = 16;
  while (room < items) room *= 4;
  return room;
}

}  // namespace detail

// Guess: the expected length of the longest list. If it is longer, the value is made a second time.
template <class Maker, template <class> class Value, int Guess = 16>
class shortened {
  template <int Room>
  static constexpr detail::shortened_to<Value<kept<Room>>> make(const Maker& maker) {
    const Value<growing> whole = maker.make();
    const int most = whole.longest();
    return {most <= Room ? Value<kept<Room>>(whole) : Value<kept<Room>>{}, most};
  }
  template <int Room>
  static constexpr auto in = make<Room>({});

  static constexpr int first = detail::room_for(Guess);

 public:
  static constexpr int longest = in<first>.longest;
  static constexpr Value<viewed> value = in<(longest <= first ? first : detail::room_for(longest))>.value;
};

}  // namespace tenon::inline v0_1::ir
