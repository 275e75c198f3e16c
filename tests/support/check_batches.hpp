// check_batches<G, Backend>: a row of a batch is the single run, bit by bit, for batches and numbers of rows for which products have tiles of every
// height.
#pragma once

#include "support/check_network.hpp"
#include "tenon/nn/nn.hpp"

namespace tenon::test {

template <class Layer, int D = 13, int T = 6>
using of_steps = graph<"of_steps", input<"x", features<D>, steps<T>>, node<"y", Layer, "x">, output<"y">>;
template <class Layer, int D>
using without_steps = graph<"without_steps", input<"x", features<D>>, node<"y", Layer, "x">, output<"y">>;

// Each row in a batch of B, and by itself.
template <concepts::Graph G, int B, class Backend = backend::cpu>
void check_rows(inference<G, on<Backend>>& alone, const parameters<G>& theta, int given = B) {
  std::vector<int> lengths;
  const int T = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;
  for (int r = 0; r < given; ++r) lengths.push_back(r % 3 == 0 ? T : (r * 7 + 1) % (T + 1));
  const sample<G> of(lengths, 1);
  inference<G, batch<B>, on<Backend>> together;
  const findings all = outputs_of(together, theta, of);
  for (int r = 0; r < given; ++r) {
    INFO("row ", r, " of ", given, " in a batch of ", B);
    findings expected;
    for (const auto& [what, numbers] : all)
      if (what.ends_with(", row " + std::to_string(r)))
        expected[what.substr(0, what.rfind(' ') + 1) + "0"] = numbers;
    check_same(expected, outputs_of(alone, theta, of.row(r)));
  }
}
template <concepts::Graph G, class Backend = backend::cpu>
void check_batches() {
  parameters<G> theta(zeros{});
  random_numbers random(9);
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<float>(0.4 * random());
  inference<G, on<Backend>> alone;
  check_rows<G, 2, Backend>(alone, theta);
  check_rows<G, 15, Backend>(alone, theta);
  check_rows<G, 15, Backend>(alone, theta, 5);
}

}  // namespace tenon::test
