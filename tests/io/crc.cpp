// Checks of every length and at every address are those of the definition, a division of polynomials bit by bit; and the published
// values of "123456789".
#include "tenon/io/crc.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace tenon;

namespace {

// The remainder of the bits, lowest first, each byte in turn.
std::uint32_t remainder_of(std::string_view bytes, std::uint32_t polynomial) {
  std::uint32_t rest = 0xFFFFFFFF;
  for (const char c : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool is_odd = ((static_cast<unsigned char>(c) >> bit & 1) ^ (rest & 1)) != 0;
      rest >>= 1;
      if (is_odd) rest ^= polynomial;
    }
  return rest ^ 0xFFFFFFFF;
}
std::span<const std::byte> raw(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

TEST_CASE("the check values that the standards publish") {
  CHECK(detail::crc32(raw("123456789")) == 0xCBF43926u);
  CHECK(detail::crc32c("123456789") == 0xE3069283u);
  CHECK(detail::crc32({}) == 0);
  CHECK(detail::crc32c("") == 0);
}
TEST_CASE("the definition, for every length and address") {
  std::mt19937 random(3);
  std::string bytes;
  for (int k = 0; k < 700; ++k) bytes += static_cast<char>(random());
  for (std::size_t first = 0; first < 17; ++first)
    for (std::size_t size = 0; first + size <= bytes.size(); size += size < 80 ? 1 : 53) {
      const std::string_view some = std::string_view(bytes).substr(first, size);
      REQUIRE(detail::crc32(raw(some)) == remainder_of(some, 0xEDB88320));
      REQUIRE(detail::crc32c(some) == remainder_of(some, 0x82F63B78));
    }
}
TEST_CASE("the check of bytes in parts is that of all") {
  const std::string text(1000, 'x');
  for (const std::size_t cut : {0u, 1u, 7u, 8u, 64u, 500u, 936u, 999u, 1000u})
    CHECK(detail::crc32(raw(text).subspan(cut), detail::crc32(raw(text).first(cut))) ==
          detail::crc32(raw(text)));
}
