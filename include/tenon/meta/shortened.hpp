// shortened<Maker, Value, Guess>: Value<growing> Maker::make() as a constant whose lists are hardly longer than what is in
// them. A compiler keeps every element of a constant, empty places among them, and some go through all of them wherever one is
// read (docs/decisions/0011): so what a plan keeps is short, and read through a view.
#pragma once

#include "tenon/meta/list.hpp"

namespace tenon::ir {

namespace detail {

// A value in room for so many items of each list, if that is enough.
template <class Short>
struct shortened_to {
  Short value{};
  int longest = 0;
};
// Few lengths: each is a type of its own.
constexpr int room_for(int items) {
  int room = 16;
  while (room < items) room *= 4;
  return room;
}

}  // namespace detail

// Guess: how long the longest list may be. Where it is longer, the value is made a second time.
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

}  // namespace tenon::ir
