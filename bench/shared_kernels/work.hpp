// One large network with a small batch on several threads: two layers of LSTM, or a transformer's block, forward or a training step.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

#include <map>
#include <string>
#include <vector>

namespace bench {

struct shared_work {
  static constexpr int width = 512, feed_forward = 2048, heads = 8, steps = 64, answers = 8;
  static constexpr int threads = 2;
  static constexpr int rows_of(bool block) { return block ? 8 : 32; }

  bool block, training;
  std::vector<float> x{}, target{};                        // [rows, steps, width], [rows, steps, answers]
  std::map<std::string, std::vector<float>> parameters{};  // by the names that PyTorch has, too

  int rows() const { return rows_of(block); }
  shared_work(bool of_block, bool trains) : block(of_block), training(trains) {
    tenon::backend::random_stream random(2026, 11);
    const auto fill = [&](std::vector<float>& v, int count) {
      for (int k = 0; k < count; ++k) v.push_back(static_cast<float>(random.uniform()) - 0.5f);
    };
    fill(x, rows() * steps * width);
    fill(target, rows() * steps * answers);
  }
  std::string name() const {
    const std::string network = block ? "a transformer's block, 512 features, 2,048, 64 steps, batch 8"
                                      : "two layers of LSTM, 512 units, 64 steps, batch 32";
    return network + (training ? ", training step" : ", forward");
  }
};

}  // namespace bench
