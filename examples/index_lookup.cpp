// Index lookup: which digit is at position i of a sequence? Trained on 5,000 sequences and tested on 5,000 others.
#include "arguments.hpp"
#include "digit_sequences.hpp"

#include <cstdio>

using namespace tenon;
using namespace tenon::nn;

using index_lookup = graph<"index_lookup",
    input<"tokens", token<10>, steps<10>>,
    input<"index",  token<10>>,
    node<"embedded", embedding<10, 128>,                                "tokens">,
    node<"states",   lstm<32, bidirectional, layers<2>, dropout<0.5>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,             "index">,
    node<"context",  attention<score::dot>,                             "query", "states">,
    node<"logits",   linear<10>,                                        "context">,
    output<"logits">, output<"context.weights">>;

void show_attention(const parameters<index_lookup>& theta, const std::vector<int>& digits, int position) {
  inference<index_lookup> lookup(theta);
  const auto [logits, weights] = lookup(std::vector<std::vector<int>>{digits}, std::vector{position});
  std::printf("\nattention, asked for position %d\n", position);
  for (std::size_t k = 0; k < digits.size(); ++k)
    std::printf("%4d %5.2f %.*s\n", digits[k], weights(0, k, 0), static_cast<int>(40 * weights(0, k, 0)), "########################################");
  std::printf("answer: %d, expected: %d\n", argmax(logits[0]), digits[static_cast<std::size_t>(position)]);
}

int main(int count, char** words) {
  int epochs = 30;
  const char* const title = "index_lookup: which digit is at position i of a sequence? (on a GPU: examples/on_device)";
  return command_line::program(title, count, words, {{"--epochs", &epochs, "how often the sequences are seen", 1}}, [&] {
    const auto train = digit_sequences(5000, seed{1}), test = digit_sequences(5000, seed{2});
    parameters<index_lookup> theta(seed{3});
    trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<32>> trainer(theta, {}, seed{4});
    fit(trainer, train, {.epochs = epochs, .shuffle = seed{5}, .schedule = schedules::cosine(2e-3), .log = stdout});
    const double accuracy = evaluate(trainer, test, {metric::accuracy{}}).metrics[0];
    std::printf("%ld parameters, test accuracy: %.4f\n", theta.count(), accuracy);
    show_attention(theta, {2, 7, 1, 8, 2, 8, 1, 8, 4, 5}, 3);
    return accuracy >= 0.999 ? 0 : 1;
  });
}
