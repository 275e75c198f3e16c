// The bodies of write_table.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE void append_field(std::string& file, std::string_view text) {
  const bool is_quoted =
      text.find_first_of(",\"\n\r") != std::string_view::npos || text.starts_with(' ') ||
      text.ends_with(' ') ||
      text.starts_with("\xEF\xBB\xBF");  // at the start of a file it would be a byte order mark
  if (!is_quoted) {
    file += text;
    return;
  }
  file += '"';
  for (const char c : text) file.append(c == '"' ? 2 : 1, c);
  file += '"';
}

[[gnu::noinline]] TENON_INLINE void refuse_written(const column_names& names, std::size_t column,
                                                   std::size_t row, std::string_view problem) {
  throw_input_error({"write_table: column ", names.of(column), ", row ", row, ": ", problem});
}

}  // namespace tenon::inline v0_1::detail
