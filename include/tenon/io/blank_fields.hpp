// The fields of a line of text, separated by blanks and tabs.
#pragma once

#include <string_view>

namespace tenon::inline v0_1::detail {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
std::string_view trimmed(std::string_view text);
inline std::string_view field_at_front(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}
// Takes the field at the front, without the blanks around it.
std::string_view take_field(std::string_view& text);
void drop_field_at_back(std::string_view& text);
long count_fields(std::string_view text);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/blank_fields.ipp"
#endif
