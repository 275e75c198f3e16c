// A whole network: inference, or one training step of forward, backward and Adam.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

namespace bench {

enum class network { index_lookup, surnames, characters, stack };

struct network_work {
  network which;
  bool trains;
  int batch;
  int hidden = 0;                                // for a stack
  std::vector<int> tokens{}, index{}, target{};  // [batch, steps], [batch], [batch] or [batch, steps]
  std::vector<float> x{};                        // for a stack: [batch, steps, hidden]

  int steps() const {
    switch (which) {
      case network::index_lookup:
        return 10;
      case network::surnames:
        return 20;
      case network::characters:
        return 64;
      default:
        return 32;
    }
  }
  int symbols() const { return which == network::index_lookup ? 10 : 256; }
  int classes() const {
    switch (which) {
      case network::surnames:
        return 18;
      case network::characters:
        return 256;
      default:
        return 10;
    }
  }
  network_work(network w, bool t, int b, int h = 0) : which(w), trains(t), batch(b), hidden(h) {
    tenon::backend::random_stream random(2024, 7);
    const auto draw = [&](std::vector<int>& v, int n, int below) {
      for (int i = 0; i < n; ++i)
        v.push_back(static_cast<int>(random.below(static_cast<std::uint32_t>(below))));
    };
    draw(tokens, batch * steps(), symbols());
    draw(index, batch, 10);
    draw(target, which == network::characters ? batch * steps() : batch, classes());
    if (which == network::stack)
      for (int i = 0; i < batch * steps() * hidden; ++i)
        x.push_back(2 * static_cast<float>(random.uniform()) - 1);
  }
  // Multiply-adds of the products; three times as many with gradients. The product of a matrix with an embedding is
  // a row of its product with the table: needed once for each symbol, and only if the table is trained.
  double multiply_adds() const {
    const double t = steps(), h = hidden, rows = batch, symbol_rows = std::min(batch * steps(), symbols());
    double per_row = 0, per_symbol = 0;
    switch (which) {
      case network::index_lookup:
        per_row = t * 2 * 4 * 32 * (32 + (64 + 32)) + 2 * t * 64 + 64 * 10;
        per_symbol = 2 * 4 * 32 * 128 + 128 * 64;
        break;
      case network::surnames:
        per_row = t * 3 * 100 * 100 + 100 * 18;
        per_symbol = 3 * 100 * 64;
        break;
      case network::characters:
        per_row = t * (3 * 64 * 64 + 64 * 256);
        per_symbol = 3 * 64 * 32;
        break;
      case network::stack:
        per_row = t * 2 * 4 * h * (h + h) + h * 10;
    }
    return trains ? 3 * (rows * per_row + symbol_rows * per_symbol) : rows * per_row;
  }
  // The gates of the cells; the backward pass reuses their values.
  double gates() const {
    const double rows = static_cast<double>(batch) * steps(), h = hidden;
    switch (which) {
      case network::index_lookup:
        return rows * 2 * 2 * 5 * 32;
      case network::surnames:
        return rows * 3 * 100;
      case network::characters:
        return rows * 3 * 64;
      default:
        return rows * 2 * 5 * h;
    }
  }
  row describe() const {
    const char* const names[]{"index lookup", "surnames, GRU 100, 20 steps", "characters, GRU 64, 64 steps",
                              "2 LSTM layers, 32 steps"};
    std::string name = names[static_cast<int>(which)];
    if (which == network::stack) name += ", hidden " + std::to_string(hidden);
    return {.group = trains ? "training step" : "inference",
            .name = name + ", batch " + std::to_string(batch),
            .multiply_adds = multiply_adds(),
            .gates = gates(),
            .bytes_read = 0,
            .runs_to_check = trains ? 3 : 1,
            .tolerance = trains ? 1e-3 : 1e-5,
            .asks_memory = trains};
  }
};

using network_contest = contest<network_work>;

}  // namespace bench
