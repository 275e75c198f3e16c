// What equal bits cost: an LSTM over 32 steps, and a transformer's block, forward or with all gradients.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

namespace bench {

struct equal_bits_work {
  static constexpr int steps = 32;
  bool block, backward;  // a block; an LSTM otherwise
  int width, batch;
  std::vector<float> x{}, output_adjoint{};

  equal_bits_work(bool is_block, bool g, int features, int b)
      : block(is_block), backward(g), width(features), batch(b) {
    tenon::backend::random_stream random(2024, 13);
    for (std::vector<float>* v : {&x, &output_adjoint})
      for (int i = 0; i < batch * steps * width; ++i)
        v->push_back(2 * static_cast<float>(random.uniform()) - 1);
  }
  row describe() const {
    const double w = width, of_a_step = block ? 4 * w * w + 2 * steps * w + 8 * w * w : 8 * w * w;
    return {.group = "Equal bits",
            .name = std::string(block ? "transformer block, " : "LSTM, ") + std::to_string(width) +
                    " features, batch " + std::to_string(batch) +
                    (backward ? ", with gradients" : ", forward"),
            .multiply_adds = of_a_step * steps * batch * (backward ? 3 : 1),
            .runs_to_check = 1,
            .tolerance = 1e-4};
  }
};

}  // namespace bench
