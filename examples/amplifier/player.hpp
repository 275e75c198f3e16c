// A stream that takes any number of samples at once, as hosts of plugins give them.
#pragma once

#include "networks.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace amplifier {

using signal = std::span<const float>;
constexpr std::size_t most_samples = 64;  // of a block; a longer one is cut

// `Stream` has the instruction set in its name, and so this class has it, too: files that are compiled for different
// instructions have different players.
template <class Stream>
class player {
 public:
  // The parameters must outlive it, and not change.
  explicit player(const auto& theta) : live_(theta) { live_.prepare(); }
  void reset() TENON_NONBLOCKING { live_.reset(); }

  // Allocates nothing, takes no lock and makes no system call. `out` has as many samples as `in`, and may be `in`.
  void process(signal in, float* out) TENON_NONBLOCKING {
    const backend::flush_to_zero
        mode;  // numbers below 1e-38, which are slow, are zeros until the function returns
    while (!in.empty()) {
      const std::size_t samples = std::min(most_samples, in.size());
      const bool is_taken = live_.try_run(in.first(samples)) == step_status::taken;
      const auto block = get<"out">(live_);
      for (std::size_t t = 0; t < samples; ++t) out[t] = is_taken ? block(0, t, 0) : 0;
      in = in.subspan(samples);
      out += samples;
    }
  }

 private:
  Stream live_;
};

template <class Network>
using player_of = player<streaming<Network, tenon::block<most_samples>>>;

}  // namespace amplifier
