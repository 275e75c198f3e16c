// The bodies of blank_fields.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>

namespace tenon::inline v0_1::detail {

TENON_INLINE std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

TENON_INLINE std::string_view take_field(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  const std::string_view field = field_at_front(text);
  text.remove_prefix(field.size());
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return field;
}

TENON_INLINE void drop_field_at_back(std::string_view& text) {
  text = trimmed(text);
  while (!text.empty() && !is_blank(text.back())) text.remove_suffix(1);
}

TENON_INLINE long count_fields(std::string_view text) {
  long count = 0;
  for (text = text.substr(std::min(text.find_first_not_of(" \t"), text.size())); !text.empty(); ++count)
    take_field(text);
  return count;
}

}  // namespace tenon::inline v0_1::detail
