// Index lookup: which digit stands at position i of a sequence? Embedding, two bidirectional LSTM layers, attention whose
// query is the position, and a linear map to the ten digits; 5,000 sequences to learn from, 5,000 others to be judged by.
#include "digit_sequences.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace tenon;

using index_lookup = graph<"index_lookup",
    input<"tokens", token<10>, steps<10>>,
    input<"index",  token<10>>,
    node<"embedded", embedding<10, 128>,                                "tokens">,
    node<"states",   bidirectional<lstm<32>, layers<2>, dropout<0.5>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,             "index">,
    node<"context",  attention<score::dot>,                             "query", "states">,
    node<"logits",   linear<10>,                                        "context">,
    output<"logits">,
    output<"context.weights">>;

double accuracy(const parameters<index_lookup>& theta, const digit_sequences& data) {
  inference<index_lookup, batch<100>> lookup;
  confusion found(10);
  for_each_batch(shuffled(data.count(), {}, 0), 100, [&](std::span<const int> rows) {
    const std::vector<int> answers = data.feed(lookup, rows);
    lookup.run(theta);
    for (std::size_t r = 0; r < rows.size(); ++r) found.add(answers[r], argmax(lookup.output<"logits">(), r));
  });
  return found.accuracy();
}

void show_attention(const parameters<index_lookup>& theta, const digit_sequences& data) {
  inference<index_lookup> lookup;
  const int row[]{0};
  const int answer = data.feed(lookup, row)[0];
  lookup.run(theta);
  std::printf("\nposition %d of:  ", data.index[0]);
  for (int digit : data.digits[0]) std::printf("%5d", digit);
  std::printf("\nattention:      ");
  for (std::size_t t = 0; t < 10; ++t) std::printf("%5.2f", static_cast<double>(lookup.output<"context.weights">()(0, t, 0)));
  std::printf("\n                ");
  for (std::size_t t = 0; t < 10; ++t) {
    const int height = static_cast<int>(8 * lookup.output<"context.weights">()(0, t, 0) + 0.5f);
    const char* bars[]{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::printf("    %s", bars[height]);
  }
  std::printf("\nanswer: %d, expected: %d\n", argmax(lookup.output<"logits">(), 0), answer);
}

int main(int count, char** arguments) {
  const int epochs = count > 1 ? std::atoi(arguments[1]) : 30;
  const digit_sequences train(5000, seed{1}), test(5000, seed{2});
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, cross_entropy<"logits">, adam, batch<32>> trainer(theta, {.rate = 2e-3}, seed{4});
  std::printf("index lookup: %ld parameters, %d sequences to train on, %d unseen\n", theta.count(), train.count(), test.count());

  const auto start = std::chrono::steady_clock::now();
  const auto feed = [&](auto& session, std::span<const int> rows) { session.template input<"target">(train.feed(session, rows)); };
  fit(trainer, train.count(), feed, {.epochs = epochs, .shuffle = seed{5}}, [&](const epoch_report& epoch) {
    std::printf("epoch %2d  rate %.5f  loss %.4f  %.2f s\n", epoch.epoch, trainer.rule().rate, epoch.loss, epoch.seconds);
    std::fflush(stdout);
    trainer.rule().rate = cosine(2e-3, epoch.epoch, epochs);
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double reached = accuracy(theta, test);
  std::printf("training: %.1f s\ntest accuracy: %.4f\n", seconds, reached);
  show_attention(theta, test);
  return reached >= 0.999 ? 0 : 1;
}
