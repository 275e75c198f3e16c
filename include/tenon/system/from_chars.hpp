// from_chars: std::from_chars, also of numbers with a point where the standard library lacks it (libc++ before 20).
#pragma once

#include <charconv>
#include <type_traits>
#if !defined(__cpp_lib_to_chars)
#  include <locale.h>

#  include <cerrno>
#  include <clocale>
#  include <cmath>
#  include <cstdlib>
#  include <string>
#  include <string_view>
#  include <system_error>
#  if defined(__APPLE__)
#    include <xlocale.h>
#  endif
#endif

namespace tenon::inline v0_1::detail {

#if defined(__cpp_lib_to_chars)
template <class T>
std::from_chars_result from_chars(const char* first, const char* last, T& value) {
  return std::from_chars(first, last, value);
}
#else
// The C library's, in the locale "C": it would also take white space, a plus and hexadecimal digits.
template <class T>
std::from_chars_result from_chars(const char* first, const char* last, T& value) {
  if constexpr (std::is_integral_v<T>) {
    return std::from_chars(first, last, value);
  } else {
    static const ::locale_t plain = ::newlocale(LC_ALL_MASK, "C", ::locale_t());
    const char* end = first;
    while (end != last && *end != 'x' && *end != 'X' && *end != '\0') ++end;
    const std::string text(first, end);
    if (text.empty() || text[0] == '+' ||
        std::string_view(" \t\n\v\f\r").find(text[0]) != std::string_view::npos)
      return {first, std::errc::invalid_argument};
    char* stop = nullptr;
    errno = 0;
    T number;
    if constexpr (std::is_same_v<T, float>) number = ::strtof_l(text.c_str(), &stop, plain);
    else number = static_cast<T>(::strtod_l(text.c_str(), &stop, plain));
    if (stop == text.c_str()) return {first, std::errc::invalid_argument};
    const char* const after = first + (stop - text.c_str());
    if (errno == ERANGE && (number == 0 || std::isinf(number)))
      return {after, std::errc::result_out_of_range};
    value = number;
    return {after, std::errc()};
  }
}
#endif

}  // namespace tenon::inline v0_1::detail
