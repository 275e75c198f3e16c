// Layers that read whole sequences and images: attention in heads, a transformer's block, a decoder that attends, convolutions.
// Only forward, or forward and the gradients of inputs and parameters. Inputs are set once, before the time is measured.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

namespace bench {

enum class layer { multi_head, encoder, decoder, conv1d, conv2d };

struct sequence_work {
  static constexpr int side = 28, source_steps = 20;  // of an image; of the source of the decoder's attention
  static constexpr int most_steps = 256;              // the bound in the graph of attention

  layer what;
  bool backward;
  int width, steps,
      batch;  // features of an input, hidden units of the decoder, width of windows; rows of an image
  std::vector<float> x{}, memory{}, output_adjoint{};

  sequence_work(layer l, bool g, int features, int t, int b)
      : what(l), backward(g), width(features), steps(t), batch(b) {
    tenon::backend::random_stream random(2024, 12);
    const auto fill = [&](std::vector<float>& v, int count) {
      for (int i = 0; i < count; ++i) v.push_back(2 * static_cast<float>(random.uniform()) - 1);
    };
    fill(x, batch * places() * features_in());
    if (what == layer::decoder) fill(memory, batch * source_steps * 2 * width);
    fill(output_adjoint, batch * places_at_most() * features_out());
  }
  int heads() const { return width == 64 ? 4 : 8; }
  int between() const { return 4 * width; }  // of the encoder's feed-forward network
  int places() const { return what == layer::conv2d ? side * side : steps; }
  int places_at_most() const { return what == layer::multi_head ? most_steps : places(); }
  int features_in() const { return what == layer::conv1d ? 128 : what == layer::conv2d ? 16 : width; }
  int features_out() const { return what == layer::conv1d ? 128 : what == layer::conv2d ? 32 : width; }

  row describe() const {
    const std::string rows =
        ", batch " + std::to_string(batch) + (backward ? ", with gradients" : ", forward");
    const double places_of_all = double(batch) * places(), w = width;
    const auto made = [&](std::string group, std::string name, double multiply_adds) {
      return row{.group = std::move(group),
                 .name = name + rows,
                 .multiply_adds = multiply_adds * places_of_all * (backward ? 3 : 1),
                 .runs_to_check = 1,
                 .tolerance = 1e-4};
    };
    const double attention = 4 * w * w + 2 * steps * w;
    switch (what) {
      case layer::multi_head:
        return made("Multi-head self-attention",
                    std::to_string(width) + " features, " + std::to_string(heads()) + " heads, " +
                        std::to_string(steps) + " steps",
                    attention);
      case layer::encoder:
        return made("Transformer encoder block",
                    std::to_string(width) + " features, " + std::to_string(between()) + " between, " +
                        std::to_string(steps) + " steps",
                    attention + 2 * w * between());
      case layer::decoder:
        return made("Bahdanau's decoder, 20 steps over 20", std::to_string(width) + " units",
                    6 * w * w + w * w + 3 * 2 * w * w + source_steps * 3 * w);
      case layer::conv1d:
        return made("Convolution", "of " + std::to_string(width) + " steps, 128 to 128 features, 32 steps",
                    128. * 128 * w);
      default:
        return made("Convolution", "3 x 3, 16 to 32 features, 28 x 28", 9. * 16 * 32);
    }
  }
};

using sequence_contest = contest<sequence_work>;

}  // namespace bench
