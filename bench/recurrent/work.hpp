// One LSTM or GRU layer at batch 1: a single step that carries its state on, or a sequence from zero states.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace bench {

enum class cell { lstm, gru };

struct recurrent_work {
  cell kind;
  int size;   // of the input and of the hidden state
  int steps;  // 1: a step that carries its state on
  std::vector<float> weight_ih{}, weight_hh{}, bias_ih{},
      bias_hh{};           // in PyTorch's order, [gates * size, size] and [gates * size]
  std::vector<float> x{};  // [steps, size]

  int gates() const { return kind == cell::lstm ? 4 : 3; }

  recurrent_work(cell k, int n, int t) : kind(k), size(n), steps(t) {
    tenon::backend::random_stream random(2024, static_cast<std::uint64_t>(n));
    const auto fill = [&](std::vector<float>& v, int count, float scale) {
      for (int i = 0; i < count; ++i) v.push_back(scale * (2 * static_cast<float>(random.uniform()) - 1));
    };
    const float scale = 1 / std::sqrt(static_cast<float>(n));
    fill(weight_ih, gates() * n * n, scale);
    fill(weight_hh, gates() * n * n, scale);
    fill(bias_ih, gates() * n, scale);
    fill(bias_hh, gates() * n, scale);
    fill(x, steps * n, 1);
  }
  row describe() const {
    const std::string name = kind == cell::lstm ? "LSTM" : "GRU";
    const double weights = 2.0 * gates() * size * size;
    return {.group = name + (steps == 1 ? ", one step" : ", " + std::to_string(steps) + " steps"),
            .name = std::to_string(size),
            .multiply_adds = weights * steps,
            .gates = (kind == cell::lstm ? 5.0 : 3.0) * size * steps,
            .bytes_read = 4 * weights * (steps == 1 ? 1 : 0.5),  // W and U, or U once for each step
            .times_read = steps,
            .waiting = steps == 1 ? 0.5 : 1};
  }
};

using recurrent_contest = contest<recurrent_work>;

// Calls f<Size>() for the sizes of the table.
template <class F>
bool with_recurrent_size(int n, F f) {
  return with_size<7, 8, 13, 16, 32, 33, 64, 100, 128, 256, 512>(n, f);
}

}  // namespace bench
