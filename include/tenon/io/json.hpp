// json_reader: reads JSON (RFC 8259) from front to back, as much of it as the headers of files need: objects, lists,
// strings, whole numbers. Text is UTF-8; anything else is a data_error that names the file and the byte.
#pragma once

#include "tenon/io/file.hpp"
#include "tenon/io/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::detail {

class json_reader {
 public:
  // The text must outlive the reader. It starts at byte `offset` of the file, for messages.
  json_reader(const std::string& path, std::string_view text, std::size_t offset)
      : path_(path), text_(text), offset_(offset) {}

  // Takes this character, after white space.
  void expect(char wanted) {
    if (!accept(wanted)) fail({"expected '", std::string_view(&wanted, 1), "', got ", next_character()});
  }
  bool accept(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  // Calls member(key) for each member of an object; member reads the value.
  template <class F>
  void object(F member) {
    expect('{');
    if (accept('}')) return;
    do {
      const std::string key = string();
      expect(':');
      member(key);
    } while (accept(','));
    expect('}');
  }
  // Calls element() for each element of a list; element reads the value.
  template <class F>
  void list(F element) {
    expect('[');
    if (accept(']')) return;
    do element();
    while (accept(','));
    expect(']');
  }
  std::string string() {
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
  // A number from 0 to 2^64 - 1, in digits.
  std::uint64_t whole_number() {
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
  // The number of characters that have been read.
  std::size_t position() const { return at_; }
  // Throws if anything but white space is left.
  void expect_end() {
    skip_space();
    if (at_ < text_.size()) fail({"expected the end of the text, got ", next_character()});
  }
  [[noreturn, gnu::cold, gnu::noinline]] void fail(std::initializer_list<message_part> problem) const {
    throw_data_error(path_, {"JSON at byte ", offset_ + at_, ": ", message_of(problem)});
  }

 private:
  const std::string& path_;
  std::string_view text_;
  std::size_t offset_, at_ = 0;

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  std::string next_character() const {
    if (at_ == text_.size()) return "the end of the text";
    const std::size_t length = utf8_length(text_.substr(at_));
    if (length == 0 || (length == 1 && static_cast<unsigned char>(text_[at_]) < 0x20))
      return message_of({"the byte ", int{static_cast<unsigned char>(text_[at_])}});
    return message_of({"'", text_.substr(at_, length), "'"});
  }
  // Takes the rest of an escape, after the backslash.
  void take_escape(std::string& value) {
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
  std::uint32_t take_code_unit() {
    std::uint32_t unit = 0;
    for (int k = 0; k < 4; ++k, ++at_) {
      constexpr std::string_view digits = "0123456789abcdefABCDEF";
      const std::size_t digit = at_ < text_.size() ? digits.find(text_[at_]) : std::string_view::npos;
      if (digit == std::string_view::npos) fail({"expected four hexadecimal digits behind \\u"});
      unit = unit * 16 + static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
    }
    return unit;
  }
  static void append_utf8(std::string& value, std::uint32_t code) {
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
};

// The string in quotation marks, with the escapes that JSON requires.
inline std::string json_string(std::string_view value) {
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

}  // namespace tenon::detail
