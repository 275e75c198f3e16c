// The fields of a line of text, separated by blanks and tabs.
#pragma once

#include <algorithm>
#include <string_view>

namespace tenon::detail {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}
inline std::string_view field_at_front(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}
// Takes the field at the front, without the blanks around it.
inline std::string_view take_field(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  const std::string_view field = field_at_front(text);
  text.remove_prefix(field.size());
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return field;
}
inline void drop_field_at_back(std::string_view& text) {
  text = trimmed(text);
  while (!text.empty() && !is_blank(text.back())) text.remove_suffix(1);
}
inline long count_fields(std::string_view text) {
  long count = 0;
  for (text = text.substr(std::min(text.find_first_not_of(" \t"), text.size())); !text.empty(); ++count)
    take_field(text);
  return count;
}

}  // namespace tenon::detail
