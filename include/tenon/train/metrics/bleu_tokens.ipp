// The bodies of bleu_tokens.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE unsigned small_letter(unsigned c) {
  static constexpr capital_letters all[]{
      {'A', 'Z', 1, 32},     {0xC0, 0xD6, 1, 32},  {0xD8, 0xDE, 1, 32},    {0x100, 0x12E, 2, 1},
      {0x132, 0x136, 2, 1},  {0x139, 0x147, 2, 1}, {0x14A, 0x176, 2, 1},   {0x178, 0x178, 1, 0u - 121},
      {0x179, 0x17D, 2, 1},  {0x1A0, 0x1A4, 2, 1}, {0x1AF, 0x1AF, 1, 1},   {0x1CD, 0x1DB, 2, 1},
      {0x1DE, 0x1EE, 2, 1},  {0x1F8, 0x21E, 2, 1}, {0x222, 0x232, 2, 1},   {0x400, 0x40F, 1, 80},
      {0x410, 0x42F, 1, 32}, {0x460, 0x480, 2, 1}, {0x48A, 0x4BE, 2, 1},   {0x4C0, 0x4C0, 1, 15},
      {0x4C1, 0x4CD, 2, 1},  {0x4D0, 0x52E, 2, 1}, {0x1E00, 0x1E94, 2, 1}, {0x1E9E, 0x1E9E, 1, 0u - 7615},
      {0x1EA0, 0x1EFE, 2, 1}};
  for (const capital_letters& some : all)
    if (some.first <= c && c <= some.last && (c - some.first) % some.step == 0) return c + some.to_small;
  return c;
}

TENON_INLINE unsigned code_point(std::string_view text, std::size_t size) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[k])); };
  if (size < 2) return byte(0);
  unsigned c = byte(0) & (0xFFu >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) c = c << 6 | (byte(k) & 0x3Fu);
  return c;
}

TENON_INLINE void append_code_point(std::string& to, unsigned c) {
  const auto append = [&](unsigned byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) return append(c);
  if (c < 0x800) {
    append(0xC0 | c >> 6);
  } else {
    append(0xE0 | c >> 12);
    append(0x80 | (c >> 6 & 0x3F));
  }
  append(0x80 | (c & 0x3F));
}

TENON_INLINE std::string in_small_letters(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = std::max(utf8_length(text), std::size_t{1});
    const unsigned c = code_point(text, size), small = size > 1 || c < 0x80 ? small_letter(c) : c;
    if (c == 0x130) result += "i\xCC\x87";  // the Turkish I with a dot is an i and a dot
    else if (small == c) result += text.substr(0, size);
    else append_code_point(result, small);
    text.remove_prefix(size);
  }
  return result;
}

TENON_INLINE bool is_white_space(unsigned c) {
  return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

TENON_INLINE std::vector<std::string> between_white_space(std::string_view text) {
  std::vector<std::string> tokens;
  bool starts = true;
  each_character(text, [&](std::string_view c, bool is_space) {
    if (!is_space) {
      if (starts) tokens.emplace_back();
      tokens.back() += c;
    }
    starts = is_space;
  });
  return tokens;
}

TENON_INLINE std::string_view without_last_space(std::string_view text) {
  std::size_t at = 0, end = 0;
  each_character(text, [&](std::string_view c, bool is_space) {
    at += c.size();
    if (!is_space) end = at;
  });
  return text.substr(0, end);
}

TENON_INLINE void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

TENON_INLINE std::vector<std::string> tokens_of_13a(std::string_view segment) {
  std::string text(segment);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  const auto is_symbol = [](char c) {
    const auto is_in = [c](char first, char last) { return first <= c && c <= last; };
    return is_in('{', '~') || is_in('[', '`') || is_in(' ', '&') || is_in('(', '+') || is_in(':', '@') ||
           c == '/';
  };
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  const auto is_stop = [](char c) { return c == '.' || c == ','; };
  std::string spaced = " ";
  for (const char c : text + " ") is_symbol(c) ? (spaced += {' ', c, ' '}) : (spaced += c);
  // Each rule continues after what it has just replaced, as a regular expression does.
  const auto rewrite_pairs = [&](auto holds, auto replacement) {
    std::string result;
    for (std::size_t k = 0; k < spaced.size(); ++k) {
      if (k + 1 == spaced.size() || !holds(spaced[k], spaced[k + 1])) result += spaced[k];
      else {
        result += replacement(spaced[k], spaced[k + 1]);
        ++k;
      }
    }
    spaced = result;
  };
  rewrite_pairs([&](char a, char b) { return !is_digit(a) && is_stop(b); },
                [](char a, char b) {
                  return std::string{a, ' ', b, ' '};
                });
  rewrite_pairs([&](char a, char b) { return is_stop(a) && !is_digit(b); },
                [](char a, char b) {
                  return std::string{' ', a, ' ', b};
                });
  rewrite_pairs([&](char a, char b) { return is_digit(a) && b == '-'; },
                [](char a, char b) {
                  return std::string{a, ' ', b, ' '};
                });
  return between_white_space(spaced);
}

}  // namespace tenon::inline v0_1::detail
