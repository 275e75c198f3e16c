// Single layers other than recurrent ones: cross-entropy over many classes, an embedding, attention. Only forward,
// or forward and the gradient. Inputs are set once, before the time is measured.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

namespace bench {

enum class layer { cross_entropy, embedding, attention };

struct layer_work {
  static constexpr int classes = 10'000;               // of the cross-entropy
  static constexpr int symbols = 10'000, tokens = 20;  // of the embedding; tokens in a row
  static constexpr int width = 64;                     // of the embedding and of attention

  layer what;
  bool backward;
  int batch;
  int steps = 0;                        // of attention
  std::vector<float> x{}, query{};      // logits [batch, classes], table [symbols, width] or states
                                        // [batch, steps, width]; query [batch, width]
  std::vector<int> index{};             // targets [batch] or tokens [batch, tokens]
  std::vector<float> output_adjoint{};  // [batch, tokens, width] or [batch, width]

  layer_work(layer l, bool g, int b, int t = 0) : what(l), backward(g), batch(b), steps(t) {
    tenon::backend::random_stream random(2024, 11);
    const auto fill = [&](std::vector<float>& v, int count, float scale) {
      for (int i = 0; i < count; ++i) v.push_back(scale * (2 * static_cast<float>(random.uniform()) - 1));
    };
    const auto draw = [&](int count, std::uint32_t below) {
      for (int i = 0; i < count; ++i) index.push_back(static_cast<int>(random.below(below)));
    };
    switch (what) {
      case layer::cross_entropy:
        fill(x, batch * classes, 4);
        draw(batch, classes);
        break;
      case layer::embedding:
        fill(x, symbols * width, 1);
        draw(batch * tokens, symbols);
        fill(output_adjoint, batch * tokens * width, 1);
        break;
      case layer::attention:
        fill(x, batch * steps * width, 1);
        fill(query, batch * width, 0.25f);
        fill(output_adjoint, batch * width, 1);
    }
  }
  row describe() const {
    const std::string rows = "batch " + std::to_string(batch),
                      how = backward ? ", forward and gradient" : ", forward";
    const double b = batch, directions = backward ? 2 : 1, place = sizeof(float);
    switch (what) {
      case layer::cross_entropy:
        return {.group = "softmax and cross-entropy, 10,000 classes",
                .name = rows + how,
                .bytes_read = place * b * classes * directions,
                .runs_to_check = 1,
                .tolerance = backward ? 1e-6 / b : 1e-5};
      case layer::embedding:
        return {.group = "embedding, table [10000, 64], batch 32, 20 tokens",
                .name = backward ? "gather and gradient of the table" : "gather",
                .bytes_read = place * width * (2 * b * tokens + (backward ? symbols : 0)),
                .runs_to_check = 1};
      default:
        return {.group = "dot attention, width 64, batch 32",
                .name = std::to_string(steps) + " steps" + how,
                .multiply_adds = b * steps * width * (backward ? 6 : 2),
                .bytes_read = place * b * steps * width * directions,
                .runs_to_check = 1};
    }
  }
};

using layer_contest = contest<layer_work>;

}  // namespace bench
