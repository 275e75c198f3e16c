// An amplifier as a network of dilated convolutions, examples/amplifier/networks.hpp, on a tenth of a second of sound: in blocks of some
// samples, as an audio host hands them over.
#pragma once

#include "../examples/amplifier/networks.hpp"
#include "support/contender.hpp"
#include "tenon/parameters/parameter_entry.hpp"

#include <cmath>
#include <string_view>

namespace bench {

using amplifier_model = amplifier::convolutional_network;

struct streams_work {
  static constexpr int samples_in_all = 4800;
  // The convolutions in their order: 16 and 8 channels, dilations from 1 to 512.
  static constexpr int layers = 20;
  static constexpr int channels(int layer) { return layer < 10 ? 16 : 8; }
  static constexpr int dilation(int layer) { return 1 << layer % 10; }

  int block;
  tenon::parameters<amplifier_model> theta{tenon::seed{1}};
  std::vector<float> samples{};

  explicit streams_work(int samples_in_block) : block(samples_in_block) {
    for (int t = 0; t < samples_in_all; ++t) {
      const float x = static_cast<float>(t);
      samples.push_back(std::sin(0.1f * x) * std::cos(0.013f * x));
    }
  }
  // A weight, [outputs, taps, inputs], or a bias, by the name of its node: "a3.active", "narrow".
  const float* weight(std::string_view node, std::string_view end) const {
    for (const auto& entry : tenon::detail::entries_of<amplifier_model>())
      if (entry.path.starts_with(node) && entry.path[node.size()] == '.' && entry.path.ends_with(end))
        return theta.data() + entry.offset;
    throw std::runtime_error("the network has no " + std::string(node) + " .. " + std::string(end));
  }
  row describe() const {
    double products = 16 + 16 * 8 + 16 * 8 + 8;
    for (int l = 0; l < layers; ++l) products += channels(l) * channels(l) * (l + 1 < layers ? 4 : 3);
    return {.group = "4,800 samples of an amplifier, dilated convolutions",
            .name = "blocks of " + std::to_string(block),
            .multiply_adds = products * samples_in_all,
            .gates = (10.0 * 16 + 10 * 8) * samples_in_all,
            .tolerance = 2e-5,
            .counted = samples_in_all};
  }
};

using streams_contest = contest<streams_work>;

// Calls f<Block>() for the blocks of the table.
template <class F>
bool with_block(int block, F f) {
  return with_size<1, 16, 64, 256>(block, f);
}

}  // namespace bench
