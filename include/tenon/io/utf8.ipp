// The bodies of utf8.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (text.empty()) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const bool is_overlong = first == 0xE0 && second < 0xA0, is_surrogate = first == 0xED && second >= 0xA0;
    return continues(1) && continues(2) && !is_overlong && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    const bool is_overlong = first == 0xF0 && second < 0x90, is_too_large = first == 0xF4 && second >= 0x90;
    return continues(1) && continues(2) && continues(3) && !is_overlong && !is_too_large ? 4 : 0;
  }
  return 0;
}

TENON_INLINE bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace tenon::inline v0_1::detail
