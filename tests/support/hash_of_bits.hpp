// A hash of the bits of numbers, FNV-1a, to compare them between programs and machines.
#pragma once

#include <bit>
#include <cstdint>

class hash_of_bits {
 public:
  void add(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    for (int shift = 0; shift < 32; shift += 8) value_ = (value_ ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};
