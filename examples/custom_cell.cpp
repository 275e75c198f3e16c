// A cell of one's own: MUT1 of Jozefowicz et al. 2015, as the paper prints it (x is projected where it enters raw). The
// library does not know it; it is checked by the gradient checker and learns the index lookup task.
#include "digit_sequences.hpp"

#include <cstdio>
#include <iostream>

using namespace tenon;
using namespace tenon::equations;

struct mut1 {
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
    node<"states",   bidirectional<recurrent<mut1, hidden<32>>, layers<2>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,                  "index">,
    node<"context",  attention<score::dot>,                                  "query", "states">,
    node<"logits",   linear<10>,                                             "context">,
    output<"logits">>;

int main() {
  const gradient_report report = check_cell_gradients<mut1>(seed{1});
  std::cout << "gradient check: " << report << "\n";
  if (!report) return 1;

  const digit_sequences train(5000, seed{1}), test(5000, seed{2});
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, cross_entropy<"logits">, adam, batch<32>> trainer(theta, {.rate = 2e-3});
  const auto feed = [&](auto& session, std::span<const int> rows) { session.template input<"target">(train.feed(session, rows)); };
  constexpr int epochs = 20;
  fit(trainer, train.count(), feed, {.epochs = epochs, .shuffle = seed{5}}, [&](const epoch_report& epoch) {
    std::printf("epoch %2d  loss %.4f  %.2f s\n", epoch.epoch, epoch.loss, epoch.seconds);
    trainer.rule().rate = cosine(2e-3, epoch.epoch, epochs);
  });

  inference<index_lookup, batch<100>> lookup;
  confusion found(10);
  for_each_batch(shuffled(test.count(), {}, 0), 100, [&](std::span<const int> rows) {
    const std::vector<int> answers = test.feed(lookup, rows);
    lookup.run(theta);
    for (std::size_t r = 0; r < rows.size(); ++r) found.add(answers[r], argmax(lookup.output<"logits">(), r));
  });
  std::printf("MUT1, %ld parameters, test accuracy: %.4f\n", theta.count(), found.accuracy());
  return found.accuracy() >= 0.99 ? 0 : 1;
}
