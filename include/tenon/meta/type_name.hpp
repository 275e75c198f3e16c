// type_name<T>(): the name of a type as the user wrote it, without tenon's namespaces: "cells::lstm",
// "embedding<10, 128>", "mean_over<"time">".
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
  bool is_quoted = false;  // brackets in quotes do not count
  for (int depth = 0; last < whole.size(); ++last) {
    const char c = whole[last];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '<' || c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == ';' || c == ']')) break;
    if (c == '>' || c == ']' || c == '}') --depth;
  }
  return whole.substr(first, last - first);
}
// A text as a template argument: its quoted part, and how many characters it has in all.
struct spelled_text {
  characters quoted{};
  std::size_t size = 0;
};
// The text at the beginning of `raw`: text<5>{"time"}, or ir::text<5>{"time"}, or {{"time"}}, depending on the
// compiler. Empty if there is none.
constexpr spelled_text find_text(characters raw) {
  if (!raw.starts_with("text<") && !raw.starts_with("ir::text<")) return {};
  std::size_t first = raw.find("{"), braces = 0;
  while (first < raw.size() && raw[first] == '{') {
    ++first;
    ++braces;
  }
  if (first >= raw.size() || raw[first] != '"') return {};
  const std::size_t last = raw.find("\"}", first + 1);
  return last == characters::npos ? spelled_text{}
                                  : spelled_text{raw.substr(first, last + 1 - first), last + 1 + braces};
}
}  // namespace detail

// At most 63 characters; a longer name ends in "...".
template <class T>
constexpr name type_name() {
  const characters raw = detail::raw_type_name<T>();
  name result;
  for (std::size_t k = 0; k < raw.size();) {
    bool skipped = false;
    for (characters prefix : {"tenon::ir::", "tenon::nn::", "tenon::", "score::", "activation::"})
      if (raw.substr(k).starts_with(prefix)) {
        k += prefix.size();
        skipped = true;
      }
    if (skipped) continue;
    if (const detail::spelled_text text = detail::find_text(raw.substr(k)); text.size > 0) {
      for (std::size_t n = 0; n < text.quoted.size() && result.size < name::capacity - 3; ++n)
        result.append(text.quoted.substr(n, 1));
      k += text.size;
      continue;
    }
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
