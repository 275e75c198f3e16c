// Random numbers by counter: Philox 4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2,
// 3"). Element i of stream s under a seed is a pure function of (seed, s, i), so every backend and every
// order of evaluation gives the same numbers.
#pragma once

#include "tenon/meta/host_device.hpp"
#include "tenon/meta/rounding.hpp"

#include <cmath>
#include <cstdint>

namespace tenon::inline v0_1::backend {

struct philox_block {
  std::uint32_t word[4];
};

TENON_HOST_DEVICE constexpr philox_block philox(std::uint64_t seed, std::uint64_t stream,
                                                std::uint64_t counter) {
  std::uint32_t key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
  philox_block x{{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                  static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)}};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * x.word[0],
                        b = std::uint64_t{0xCD9E8D57u} * x.word[2];
    x = {{static_cast<std::uint32_t>(b >> 32) ^ x.word[1] ^ key0, static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ x.word[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return x;
}

// Uniform in [0, 1) with 24 bits.
TENON_HOST_DEVICE constexpr float uniform(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

// A sequence of random numbers: words 0, 1, 2, ... of one stream.
class random_stream {
 public:
  constexpr random_stream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  constexpr std::uint32_t word() {
    if (used_ == 4) {
      block_ = philox(seed_, stream_, counter_++);
      used_ = 0;
    }
    return block_.word[used_++];
  }
  // Uniform in [0, 1).
  constexpr double uniform() { return static_cast<double>(word()) * 0x1p-32; }
  // Uniform in 0 .. n-1 (Lemire 2019, with rejection: exact).
  constexpr std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{word()} * n;
    const std::uint32_t least = (0u - n) % n;
    while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{word()} * n;
    return static_cast<std::uint32_t>(product >> 32);
  }
  // Normally distributed with this mean and standard deviation, from two words (Box and Muller 1958).
  TENON_ROUNDS_EACH double normal(double mean = 0, double deviation = 1) {
    TENON_ROUNDS_EACH_HERE
    const double above_zero = (static_cast<double>(word()) + 1) * 0x1p-32;
    const double radius = std::sqrt(-2 * std::log(above_zero));
    return mean + deviation * radius * std::cos(6.283185307179586 * uniform());
  }

 private:
  std::uint64_t seed_, stream_, counter_ = 0;
  philox_block block_{};
  int used_ = 4;
};

}  // namespace tenon::inline v0_1::backend
