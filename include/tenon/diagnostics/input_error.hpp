// input_error: what a session, a block of parameters or a schedule throws at run time.
#pragma once

#include "tenon/diagnostics/exceptions.hpp"
#include "tenon/meta/characters.hpp"

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace tenon::inline v0_1 {

// A value given at run time is wrong, or is used too early; the message names the thing, the place, expected and got.
struct input_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

namespace detail {

// Words of a message, or a whole number of any type.
class message_part {
 public:
  message_part(const char* words) : words_(words) {}
  message_part(characters words) : words_(words) {}
  message_part(const std::string& words) : words_(words.data(), words.size()) {}
  message_part(std::string_view words) : words_(words.data(), words.size()) {}
  template <std::integral N>
  message_part(N n) : is_number_(true) {
    if constexpr (std::is_signed_v<N>) is_negative_ = n < 0;
    const auto bits = static_cast<unsigned long long>(n);
    magnitude_ = is_negative_ ? 0 - bits : bits;
  }
  bool is_negative() const { return is_negative_; }
  bool is_below(long bound) const {
    return is_negative_ || magnitude_ < static_cast<unsigned long long>(bound);
  }
  // The number plus one, if it is not negative.
  message_part next() const;
  void append_to(std::string& message) const;

 private:
  characters words_{};
  unsigned long long magnitude_ = 0;
  bool is_number_ = false, is_negative_ = false;
};

// One function for every message, out of line: a program has many checks, and none of them
// should cost time in its work.
[[gnu::cold]] std::string message_of(std::initializer_list<message_part> parts);
[[noreturn, gnu::cold]] void throw_input_error(std::initializer_list<message_part> parts);
// The start of a text, for a message.
inline std::string shortened(std::string_view text, std::size_t most = 40) {
  return message_of({text.substr(0, most), text.size() > most ? "..." : ""});
}
// The same of a pattern or a name, which a message shows as a whole if it is not far too long.
inline std::string shortened_name(std::string_view name) { return shortened(name, 160); }
// A number of elements as an int, which positions in data are.
int checked_size(std::string_view of, std::size_t count, std::string_view elements);

}  // namespace detail

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/diagnostics/input_error.ipp"
#endif
