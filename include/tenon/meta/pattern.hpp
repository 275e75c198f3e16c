// matches: names by pattern, where `*` stands for any number of characters: "states.weight_hh*".
#pragma once

#include "tenon/meta/characters.hpp"

namespace tenon::inline v0_1::ir {

constexpr bool matches(characters pattern, characters word) {
  std::size_t p = 0, n = 0, star = characters::npos, resumed = 0;
  while (n < word.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resumed = n;
    } else if (p < pattern.size() && pattern[p] == word[n]) {
      ++p;
      ++n;
    } else if (star == characters::npos) return false;
    else {
      p = star + 1;
      n = ++resumed;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tenon::inline v0_1::ir
