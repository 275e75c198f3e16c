// UTF-8 (RFC 3629): the lengths of its characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::inline v0_1::detail {

// The length of the UTF-8 character at the front (RFC 3629), or 0 if the bytes there are not one.
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/utf8.ipp"
#endif
