// A cell that is not in the library, MUT1 of Jozefowicz et al. 2015, at batch 1: a single step that carries its
// state on, or a sequence from a zero state.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

#include <map>
#include <string_view>

namespace bench {

struct own_cell_work {
  int size;   // of the input and of the state
  int steps;  // 1: a step that carries its state on
  std::map<std::string, std::vector<float>, std::less<>>
      weights{};           // by symbol: W_z [size, size], b_z [size]
  std::vector<float> x{};  // [steps, size]

  own_cell_work(int n, int t) : size(n), steps(t) {
    tenon::backend::random_stream random(2024, static_cast<std::uint64_t>(n));
    const auto fill = [&](std::vector<float>& v, int count, float scale) {
      for (int i = 0; i < count; ++i) v.push_back(scale * (2 * static_cast<float>(random.uniform()) - 1));
    };
    for (const char* matrix : {"W_z", "W_r", "U_r", "U_h", "W_h"})
      fill(weights[matrix], n * n, 1 / std::sqrt(static_cast<float>(n)));
    for (const char* bias : {"b_z", "b_r", "b_h"}) fill(weights[bias], n, 0.25f);
    fill(x, steps * n, 1);
  }
  row describe() const {
    const double products = 5.0 * size * size;
    return {.group = steps == 1 ? "own cell (MUT1), one step"
                                : "own cell (MUT1), " + std::to_string(steps) + " steps",
            .name = std::to_string(size),
            .multiply_adds = products * steps,
            .gates = 3.0 * size * steps,
            .bytes_read = 4 * products * (steps == 1 ? 1 : 0.4),  // all weights, or both U once for each step
            .times_read = steps,
            .waiting = steps == 1 ? 0.4 : 1};
  }
};

using own_cell_contest = contest<own_cell_work>;

// Calls f<Size>() for the sizes of the table.
template <class F>
bool with_own_cell_size(int n, F f) {
  return with_size<8, 16, 32, 64, 128, 256>(n, f);
}

}  // namespace bench
