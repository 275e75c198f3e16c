// The tokens that BLEU compares: those of 13a (mteval-v13a), or what is between white space; and texts in lower case.
#pragma once

#include "tenon/io/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// The capital letters first, first + step, .. last; adding `to_small` gives the small ones.
struct capital_letters {
  unsigned first, last, step, to_small;
};
unsigned small_letter(unsigned c);
// The code point of the first character, of `size` bytes; a byte that begins no character counts by itself.
unsigned code_point(std::string_view text, std::size_t size);
void append_code_point(std::string& to, unsigned c);
std::string in_small_letters(std::string_view text);
// The white space of Unicode, and the four separators of ASCII.
bool is_white_space(unsigned c);
// Calls f(character, is it white space?) for each; a byte that begins no character is one by itself.
template <class F>
void each_character(std::string_view text, F f) {
  while (!text.empty()) {
    const std::size_t size = std::max(utf8_length(text), std::size_t{1});
    const unsigned c = code_point(text, size);
    f(text.substr(0, size), (size > 1 || c < 0x80) && is_white_space(c));
    text.remove_prefix(size);
  }
}
std::vector<std::string> between_white_space(std::string_view text);
std::string_view without_last_space(std::string_view text);
void replace_all(std::string& text, std::string_view what, std::string_view with);
// 13a: each symbol except ' is a token, and so are full stops and commas that are not inside a number, and a dash after
// a digit. No byte beyond ASCII is a symbol.
std::vector<std::string> tokens_of_13a(std::string_view segment);

}  // namespace detail

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/train/metrics/bleu_tokens.ipp"
#endif
