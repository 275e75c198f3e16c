// json_reader: reads JSON (RFC 8259) from front to back, as much of it as the headers of files need: objects, lists,
// strings, whole numbers. Text is UTF-8; anything else is a data_error that names the file and the byte.
#pragma once

#include "tenon/io/file.hpp"
#include "tenon/io/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::inline v0_1::detail {

class json_reader {
 public:
  // The text must outlive the reader. It starts at byte `offset` of the file, for messages.
  json_reader(const std::string& path, std::string_view text, std::size_t offset)
      : path_(path), text_(text), offset_(offset) {}

  // Takes this character, after white space.
  void expect(char wanted) {
    if (!accept(wanted)) fail({"expected '", std::string_view(&wanted, 1), "', got ", next_character()});
  }
  bool accept(char wanted);
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
  std::string string();
  // A number from 0 to 2^64 - 1, in digits.
  std::uint64_t whole_number();
  // The number of characters that have been read.
  std::size_t position() const { return at_; }
  // Throws if anything but white space is left.
  void expect_end();
  [[noreturn, gnu::cold]] void fail(std::initializer_list<message_part> problem) const;

 private:
  const std::string& path_;
  std::string_view text_;
  std::size_t offset_, at_ = 0;

  void skip_space();
  std::string next_character() const;
  // Takes the rest of an escape, after the backslash.
  void take_escape(std::string& value);
  std::uint32_t take_code_unit();
  static void append_utf8(std::string& value, std::uint32_t code);
};

// The string in quotation marks, with the escapes that JSON requires.
std::string json_string(std::string_view value);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/json.ipp"
#endif
