// shortened<Maker, Value, Guess>: Value<growing> Maker::make() as a constant whose lists are hardly longer than what is in
// them. A compiler keeps every element of a constant, empty places among them, and some go through all of them wherever one is
// read (docs/decisions/0011): so what a plan keeps is short, and read through a view.
#pragma once

#include "tenon/meta/list.hpp"

namespace tenon::ir {

// Guess: how long the longest list may be. Where it is longer, the value is made a second time.
template <class Maker, template <class> class Value, int Guess = 24>
class shortened {
  template <int Length>
  struct attempt {
    Value<kept<Length>> made{};
    int longest = 0;
  };
  static constexpr int room_for(int items) {
    int room = 16;
    while (room < items) room *= 4;
    return room;
  }
  template <int Length>
  static constexpr attempt<Length> try_in(const Maker& maker) {
    const Value<growing> whole = maker.make();
    attempt<Length> result{.longest = longest_list(whole)};
    if (result.longest <= Length) result.made = whole;
    return result;
  }
  template <int Length>
  static constexpr attempt<Length> in_room = try_in<Length>({});

  static constexpr int first = room_for(Guess);
  static constexpr int length = in_room<first>.longest <= first ? first : room_for(in_room<first>.longest);

 public:
  static constexpr Value<viewed> value = in_room<length>.made;
  static constexpr int longest = in_room<first>.longest;
};

}  // namespace tenon::ir
