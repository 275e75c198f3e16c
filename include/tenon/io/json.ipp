// The bodies of json.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE bool json_reader::accept(char wanted) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != wanted) return false;
  ++at_;
  return true;
}

TENON_INLINE std::string json_reader::string() {
  expect('"');
  std::string value;
  for (;;) {
    if (at_ == text_.size()) fail({"the text ends within a string"});
    const char c = text_[at_];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) fail({"a string holds the control character ", int{c}});
    if (c == '\\') {
      ++at_;
      take_escape(value);
      continue;
    }
    const std::size_t length = utf8_length(text_.substr(at_));
    if (length == 0) fail({"a string is not UTF-8"});
    value.append(text_, at_, length);
    at_ += length;
  }
  ++at_;
  return value;
}

TENON_INLINE std::uint64_t json_reader::whole_number() {
  skip_space();
  const std::size_t first = at_;
  std::uint64_t value = 0;
  for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
    const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
    if (value > (~std::uint64_t{0} - digit) / 10) fail({"a number is larger than 2^64 - 1"});
    value = value * 10 + digit;
  }
  if (at_ == first) fail({"expected a whole number, got ", next_character()});
  if (text_[first] == '0' && at_ > first + 1) fail({"a number starts with 0"});
  const bool continues =
      at_ < text_.size() && std::string_view(".eE").find(text_[at_]) != std::string_view::npos;
  if (continues) fail({"expected a whole number, got a fraction or an exponent"});
  return value;
}

TENON_INLINE void json_reader::expect_end() {
  skip_space();
  if (at_ < text_.size()) fail({"expected the end of the text, got ", next_character()});
}

[[gnu::noinline]] TENON_INLINE void json_reader::fail(std::initializer_list<message_part> problem) const {
  throw_data_error(path_, {"JSON at byte ", offset_ + at_, ": ", message_of(problem)});
}

TENON_INLINE void json_reader::skip_space() {
  while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
}

TENON_INLINE std::string json_reader::next_character() const {
  if (at_ == text_.size()) return "the end of the text";
  const std::size_t length = utf8_length(text_.substr(at_));
  if (length == 0 || (length == 1 && static_cast<unsigned char>(text_[at_]) < 0x20))
    return message_of({"the byte ", int{static_cast<unsigned char>(text_[at_])}});
  return message_of({"'", text_.substr(at_, length), "'"});
}

TENON_INLINE void json_reader::take_escape(std::string& value) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  const char letter = at_ < text_.size() ? text_[at_] : '\0';
  if (const std::size_t k = letters.find(letter); k != std::string_view::npos) {
    value += meanings[k];
    ++at_;
    return;
  }
  if (letter != 'u') fail({"a string holds an unknown escape"});
  ++at_;
  std::uint32_t code = take_code_unit();
  if (code >= 0xD800 && code < 0xE000) {  // the first of two halves of one character
    if (code >= 0xDC00 || !text_.substr(at_).starts_with("\\u"))
      fail({"a string holds half a surrogate pair"});
    at_ += 2;
    const std::uint32_t second = take_code_unit();
    if (second < 0xDC00 || second >= 0xE000) fail({"a string holds half a surrogate pair"});
    code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
  }
  append_utf8(value, code);
}

TENON_INLINE std::uint32_t json_reader::take_code_unit() {
  std::uint32_t unit = 0;
  for (int k = 0; k < 4; ++k, ++at_) {
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    const std::size_t digit = at_ < text_.size() ? digits.find(text_[at_]) : std::string_view::npos;
    if (digit == std::string_view::npos) fail({"expected four hexadecimal digits behind \\u"});
    unit = unit * 16 + static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
  }
  return unit;
}

TENON_INLINE void json_reader::append_utf8(std::string& value, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { value += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) add(0xE0 | code >> 12);
    else {
      add(0xF0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3F));
    }
    add(0x80 | (code >> 6 & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

TENON_INLINE std::string json_string(std::string_view value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : value) {
    const std::size_t k = std::string_view("\"\\\b\f\n\r\t").find(c);
    if (k != std::string_view::npos) (text += '\\') += "\"\\bfnrt"[k];
    else if (static_cast<unsigned char>(c) < 0x20)
      ((text += "\\u00") += digits[static_cast<unsigned char>(c) >> 4]) += digits[c & 15];
    else text += c;
  }
  return text += '"';
}

}  // namespace tenon::inline v0_1::detail
