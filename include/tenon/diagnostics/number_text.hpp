// Numbers as text with a decimal point in every locale: printf, std::to_string and streams would write 0,5 for 0.5 after
// std::locale::global or setlocale with a language whose numbers have a comma, and group digits.
#pragma once

#include <charconv>
#include <string>

namespace tenon::inline v0_1::detail {

[[gnu::cold]] std::string number_text(double value, std::chars_format format, int precision);
// As printf's %.6g.
inline std::string general(double value, int digits = 6) {
  return number_text(value, std::chars_format::general, digits);
}
// As printf's %.6f.
inline std::string fixed(double value, int decimals = 6) {
  return number_text(value, std::chars_format::fixed, decimals);
}
// As printf's %.2e.
inline std::string scientific(double value, int decimals) {
  return number_text(value, std::chars_format::scientific, decimals);
}

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/diagnostics/number_text.ipp"
#endif
