// A short training of the index lookup, in plain numbers: two compilers compile it, one for each machine.
#pragma once

#include "../examples/digit_sequences.hpp"
#include "tenon/tenon.hpp"

#include <vector>

namespace tenon::test {
using namespace nn;

struct trained {
  std::vector<double> losses;
  std::vector<float> parameters;
};

template <class Backend>
trained train_index_lookup() {
  using index_lookup = graph<"index_lookup", input<"tokens", token<10>, steps<10>>, input<"index", token<10>>,
                             node<"embedded", embedding<10, 128>, "tokens">,
                             node<"states", lstm<32, bidirectional, layers<2>, dropout<0.5>>, "embedded">,
                             node<"query", chain<embedding<10, 128>, linear<64>>, "index">,
                             node<"context", attention<score::dot>, "query", "states">,
                             node<"logits", linear<10>, "context">, output<"logits">>;
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<32>, on<Backend>> learner(
      theta, {}, seed{4});
  const auto history =
      fit(learner, digit_sequences(640, seed{1}), {.epochs = 2, .shuffle = seed{5}, .log = nullptr});
  trained result{{}, {theta.data(), theta.data() + theta.block_size}};
  for (const auto& epoch : history.epochs) result.losses.push_back(epoch.loss);
  return result;
}

trained trained_on_cpu();  // in support/trained_on_cpu.cpp: nvcc would compile the training twice

}  // namespace tenon::test
