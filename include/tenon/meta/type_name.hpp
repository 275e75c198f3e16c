// type_name<T>(): the name of a type as the user wrote it, without tenon's namespaces: "cells::lstm",
// "embedding<10, 128>".
#pragma once

#include "tenon/meta/text.hpp"

#include <initializer_list>

namespace tenon::ir {

namespace detail {
template <class T>
constexpr characters raw_type_name() {
  const characters whole = __PRETTY_FUNCTION__;  // "... [with T = NAME; ...]" or "... [T = NAME]"
  const std::size_t first = whole.find("T = ") + 4;
  std::size_t last = first;
  for (int depth = 0; last < whole.size(); ++last) {
    const char c = whole[last];
    if (c == '<' || c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == ';' || c == ']')) break;
    if (c == '>' || c == ']' || c == '}') --depth;
  }
  return whole.substr(first, last - first);
}
}  // namespace detail

// At most 63 characters; a longer name ends in "...".
template <class T>
constexpr name type_name() {
  const characters raw = detail::raw_type_name<T>();
  name result;
  for (std::size_t k = 0; k < raw.size();) {
    bool skipped = false;
    for (characters prefix : {"tenon::ir::", "tenon::", "score::", "activation::"})
      if (raw.substr(k).starts_with(prefix)) k += prefix.size(), skipped = true;
    if (skipped) continue;
    if (raw[k] == ' ' && k + 1 < raw.size() && raw[k + 1] == '>') {  // g++ writes `> >`
      ++k;
      continue;
    }
    if (result.size == name::capacity - 3) return result.append("...");
    result.append(raw.substr(k++, 1));
  }
  return result;
}

}  // namespace tenon::ir
