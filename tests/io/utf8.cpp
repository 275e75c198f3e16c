#include "tenon/io/utf8.hpp"

#include <doctest/doctest.h>

#include <string>

using tenon::detail::is_utf8, tenon::detail::utf8_length;

namespace {

// RFC 3629 backwards: the bytes of a code point.
std::string encoded(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  const int following = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  std::string bytes;
  bytes += static_cast<char>((0xF00 >> (following + 1) & 0xFF) | code >> 6 * following);
  for (int k = following - 1; k >= 0; --k) bytes += static_cast<char>(0x80 | (code >> 6 * k & 0x3F));
  return bytes;
}

}  // namespace

TEST_CASE("the characters are those of all code points but the surrogates") {
  int wrong = 0;
  for (unsigned code = 0; code <= 0x10FFFF; ++code) {
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    const std::string bytes = encoded(code);
    wrong += utf8_length(bytes + "x") != (is_surrogate ? 0 : bytes.size());
    if (bytes.size() > 1) wrong += utf8_length(std::string_view(bytes).substr(0, bytes.size() - 1)) != 0;
  }
  CHECK(wrong == 0);
  CHECK(encoded(0xFC) == "\xC3\xBC");
  CHECK(encoded(0x1F600) == "\xF0\x9F\x98\x80");
}
TEST_CASE("bytes that are no UTF-8") {
  for (const char* bytes :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3z", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE6\x88",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF0\x9F\x98", "\xFE", "\xFF"}) {
    CHECK_FALSE(is_utf8(bytes));
    CHECK(utf8_length(bytes) == 0);
  }
  CHECK(is_utf8(""));
  CHECK(utf8_length("") == 0);
  CHECK(
      is_utf8("a\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F"
              "\xBF\xBF"));
}
