// The bodies of number_text.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

[[gnu::noinline]] TENON_INLINE std::string number_text(double value, std::chars_format format,
                                                       int precision) {
  char text[400];  // the largest double has 309 digits before the point
  return {text, std::to_chars(text, text + sizeof text, value, format, precision).ptr};
}

}  // namespace tenon::inline v0_1::detail
