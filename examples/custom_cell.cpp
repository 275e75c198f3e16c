// A user-written cell: MUT1 of Jozefowicz et al. 2015, as the paper prints it, except that x, which the paper adds
// directly, is projected. The gradient checker checks the cell, and it learns the index lookup task.
#include "digit_sequences.hpp"

#include <cstdio>
#include <iostream>

using namespace tenon;
using namespace tenon::nn;

struct my_mut1 : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    return tanh(U<"h">(r * h) + tanh(W<"h">(x)) + b<"h">) * z + h * (1 - z);
  }
};

using index_lookup = graph<"index_lookup",
    input<"tokens", token<10>, steps<10>>,
    input<"index",  token<10>>,
    node<"embedded", embedding<10, 128>,                                     "tokens">,
    node<"states",   recurrent<my_mut1, hidden<32>, bidirectional, layers<2>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,                  "index">,
    node<"context",  attention<score::dot>,                                  "query", "states">,
    node<"logits",   linear<10>,                                             "context">,
    output<"logits">>;

int main() {
  const reports::gradients report = check_cell_gradients<my_mut1>(seed{1});
  std::cout << "gradient check: " << report << "\n";
  if (!report) return 1;

  const auto train = digit_sequences(5000, seed{1}), test = digit_sequences(5000, seed{2});
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<32>> trainer(theta);
  fit(trainer, train, {.epochs = 20, .shuffle = seed{5}, .schedule = schedules::cosine(2e-3), .log = stdout});
  const double accuracy = evaluate(trainer, test, {metric::accuracy{}}).metrics[0];
  std::printf("MUT1, %ld parameters, test accuracy: %.4f\n", theta.count(), accuracy);
  return accuracy >= 0.99 ? 0 : 1;
}
