// Cyclic redundancy checks of 32 bits, lowest bit first, inverted before and after: crc32 (zip, gzip, PNG; ITU-T V.42) and
// crc32c (Castagnoli et al. 1993; RFC 3720). By tables, eight bytes at a time ("slicing by 8", Kounavis and Berry 2008): 1.7 GB/s on
// one shared core of an AMD EPYC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace tenon::inline v0_1::detail {

using crc_tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: what the byte b does to the check if k bytes follow it. The polynomial has its highest power in the lowest
// bit. Computed when they are first used, and never deleted: as constants, or as an object that a compiler makes one, they would
// be 8 KB of each program.
const crc_tables& new_crc_tables(std::uint32_t polynomial);

// The register of the check after these bytes: not inverted.
template <std::uint32_t Polynomial>
std::uint32_t crc_by_tables(std::span<const std::byte> bytes, std::uint32_t crc) {
  static const crc_tables& tables = new_crc_tables(Polynomial);
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {  // of a little-endian machine: tensor/named_tensor.hpp
    std::uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + 4, 4);
    low ^= crc;
    crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^
          tables[4][low >> 24] ^ tables[3][high & 0xFF] ^ tables[2][high >> 8 & 0xFF] ^
          tables[1][high >> 16 & 0xFF] ^ tables[0][high >> 24];
  }
  for (; left > 0; --left, ++at)
    crc = crc >> 8 ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(*at)) & 0xFF];
  return crc;
}

// before: the check of the bytes before these ones.
inline std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0) {
  return ~crc_by_tables<0xEDB88320>(bytes, ~before);
}
inline std::uint32_t crc32c(std::string_view bytes) {
  return ~crc_by_tables<0x82F63B78>(std::as_bytes(std::span(bytes)), ~0u);
}

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/crc.ipp"
#endif
