// type_name<T>(): the name of a type as the user wrote it, without tenon's namespaces: "cells::lstm",
// "embedding<10, 128>", "mean_over<"time">", "dropout<0.1>". The members of a value are left out: "initializer{..}".
#pragma once

#include "tenon/meta/text.hpp"

#include <initializer_list>

namespace tenon::inline v0_1::ir {

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
// Whether `raw` is an empty text that ends a list of arguments: one that was left out, which g++ writes.
constexpr std::size_t left_out_text(characters raw) {
  const characters spaces = "tenon::v0_1::ir::";
  const std::size_t first = raw.starts_with(spaces) ? spaces.size() : 0;
  const spelled_text found = find_text(raw.substr(first));
  return found.quoted.size() == 2 && raw.substr(first + found.size).starts_with(">") ? first + found.size : 0;
}
struct spelled_number {
  basic_name<24> text{};
  std::size_t size = 0;  // of its spelling
};
// The number at the beginning of `raw`, 1.0000000000000001e-1 by g++ and 1.000000e-01 by clang, with six digits: 0.1.
constexpr spelled_number find_number(characters raw) {
  spelled_number found;
  const auto is_digit = [&](std::size_t k) { return k < raw.size() && raw[k] >= '0' && raw[k] <= '9'; };
  int digits[7]{}, count = 0, exponent = 0, last = 5;
  std::size_t k = 0;
  for (; is_digit(k) || raw.substr(k).starts_with("."); ++k)
    if (raw[k] != '.' && count < 7) digits[count++] = raw[k] - '0';
  if (raw.substr(k).starts_with("e")) {
    const bool is_below_1 = raw[k + 1] == '-';
    for (k += 2; is_digit(k); ++k) exponent = 10 * exponent + (raw[k] - '0');
    if (is_below_1) exponent = -exponent;
  }
  found.size = k;
  if (digits[6] >= 5) {
    int place = 5;
    while (place >= 0 && ++digits[place] == 10) digits[place--] = 0;
    if (place < 0) {
      digits[0] = 1;
      ++exponent;
    }
  }
  while (last > 0 && digits[last] == 0) --last;
  const bool is_scientific = exponent < -4 || exponent > 5;
  const int point = is_scientific ? 0 : exponent;  // behind this digit
  for (int p = point < 0 ? point : 0; p <= last || p <= point + !is_scientific; ++p) {
    found.text.append(p >= 0 && p <= last ? digits[p] : 0);
    if (p == point && (p < last || !is_scientific)) found.text.append(".");
  }
  if (is_scientific)
    found.text.append(exponent < 0 ? "e-" : "e+").append(exponent < 0 ? -exponent : exponent);
  return found;
}
// How long the members of a value are, {..}, at the beginning of `raw`.
constexpr std::size_t members_size(characters raw) {
  std::size_t k = 0;
  bool is_quoted = false;
  for (int depth = 0; k < raw.size(); ++k) {
    if (raw[k] == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    depth += (raw[k] == '{') - (raw[k] == '}');
    if (depth == 0) break;
  }
  return k + 1;
}

constexpr bool is_of_word(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
}

// Writes a type as the user wrote it, piece by piece, until `to` is full.
template <class Text>
constexpr void write_type(characters raw, Text& to) {
  const auto prefix_size = [](characters word) -> std::size_t {
    for (characters prefix :
         {"tenon::v0_1::nn::", "tenon::nn::", "tenon::v0_1::", "tenon::", "ir::", "score::", "activation::"})
      if (word.starts_with(prefix)) return prefix.size();
    return 0;
  };
  for (std::size_t k = 0; k < raw.size() && !to.is_full();) {
    std::size_t size = 1;
    if (is_of_word(raw[k])) {
      if (const std::size_t prefix = prefix_size(raw.substr(k)); prefix > 0) {
        k += prefix;
        continue;
      }
      if (const spelled_text text = find_text(raw.substr(k)); text.size > 0) {
        to.append(text.quoted);
        k += text.size;
        continue;
      }
      while (k + size < raw.size() && is_of_word(raw[k + size])) ++size;
      if (raw[k] <= '9' && raw.substr(k + size).starts_with(".")) {
        const spelled_number number = find_number(raw.substr(k));
        to.append(number.text.view());
        k += number.size;
        continue;
      }
    } else if (raw[k] == '{') {
      to.append("{..}");
      k += members_size(raw.substr(k));
      continue;
    } else if (raw[k] == '<' || raw.substr(k).starts_with(", ")) {
      size = raw[k] == '<' ? 1 : 2;
      if (const std::size_t text = left_out_text(raw.substr(k + size)); text > 0) {
        if (size == 1) to.append("<");
        k += size + text;
        continue;
      }
    } else if (raw.substr(k).starts_with(" >")) {  // g++ writes `> >`
      ++k;
    }
    to.append(raw.substr(k, size));
    k += size;
  }
}
struct cut_name {
  name text{};
  bool is_cut = false;
  constexpr bool is_full() const { return is_cut; }
  constexpr void append(characters s) {
    const std::size_t room = static_cast<std::size_t>(name::capacity - 3 - text.size);
    is_cut = s.size() > room;
    text.append(s.substr(0, room));
    if (is_cut) text.append("...");
  }
};
}  // namespace detail

// At most 63 characters; a longer name ends in "...".
template <class T>
constexpr name type_name() {
  detail::cut_name result;
  detail::write_type(detail::raw_type_name<T>(), result);
  return result.text;
}

}  // namespace tenon::inline v0_1::ir
