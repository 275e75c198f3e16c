// Index lookup, trained in a browser: which digit is at position i of a sequence? The network and the data of examples/index_lookup.cpp, a
// few steps at each call, so that the page can draw the loss and the attention between them.
#include "digit_sequences.hpp"
#include "exported.hpp"
#include <tenon/tenon.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

// clang-format off
using index_lookup = graph<"index_lookup",
    input<"tokens", token<10>, steps<10>>,
    input<"index",  token<10>>,
    node<"embedded", embedding<10, 128>,                                "tokens">,
    node<"states",   lstm<32, bidirectional, layers<2>, dropout<0.5>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,             "index">,
    node<"context",  attention<score::dot>,                             "query", "states">,
    node<"logits",   linear<10>,                                        "context">,
    output<"logits">, output<"context.weights">>;
// clang-format on

constexpr int batch_rows = 32, sequences = 5000, epochs = 30;
constexpr int batches = (sequences + batch_rows - 1) / batch_rows;  // of an epoch

// One training, from the first step to the last.
class lesson {
  using training =
      trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<batch_rows>>;

 public:
  explicit lesson(unsigned number)
      : theta_(seed{number}), trainer_(theta_, {}, seed{number + 1}), shuffle_(number + 2, 0) {
    std::iota(order_.begin(), order_.end(), 0);
  }
  long steps() const { return trainer_.steps(); }

  // The loss of the batch before the update.
  double step() {
    const int batch = static_cast<int>(steps() % batches);
    if (batch == 0) shuffle();
    const auto from = order_.begin() + batch * batch_rows;
    train_.set_inputs(trainer_, std::span(from, std::min(from + batch_rows, order_.end())));
    trainer_.optimizer().learning_rate = schedule_({.step = steps(), .steps = epochs * batches});
    return trainer_.step();
  }
  // The share of right answers for sequences that are no part of the training.
  double accuracy() { return evaluate(trainer_, test_, {metric::accuracy{}}).metrics[0]; }

  // The same digits, asked for each of the ten positions.
  void look_up(const std::array<int, 10>& digits) {
    std::array<int, 10> positions;
    std::iota(positions.begin(), positions.end(), 0);
    const auto [logits, weights] =
        lookup_(std::vector(10, std::vector<int>(digits.begin(), digits.end())), positions);
    for (std::size_t row = 0; row < 10; ++row) {
      answers[row] = argmax(logits[row]);
      for (std::size_t k = 0; k < 10; ++k) attention[10 * row + k] = weights(row, k, 0);
    }
  }
  std::array<int, 10> answers{};       // for each position
  std::array<float, 100> attention{};  // [position asked for, place in the sequence]

 private:
  void shuffle() {
    for (std::size_t k = order_.size(); k > 1; --k)
      std::swap(order_[k - 1], order_[shuffle_.below(static_cast<std::uint32_t>(k))]);
  }
  decltype(digit_sequences(0, seed{})) train_ = digit_sequences(sequences, seed{1}),
                                       test_ = digit_sequences(1000, seed{2});
  parameters<index_lookup> theta_;
  training trainer_;
  inference<index_lookup, batch<10>> lookup_{theta_};
  schedules::schedule schedule_ = schedules::cosine(2e-3);
  backend::random_stream shuffle_;
  std::vector<int> order_ = std::vector<int>(sequences);
};

std::optional<lesson> current;
std::array<int, 10> typed{};

EXPORTED(begin) void begin(unsigned number) { current.emplace(number); }
EXPORTED(step) double step() { return current->step(); }
EXPORTED(steps) int steps() { return static_cast<int>(current->steps()); }
EXPORTED(most_steps) int most_steps() { return epochs * batches; }
EXPORTED(steps_of_epoch) int steps_of_epoch() { return batches; }
EXPORTED(accuracy) double accuracy() { return current->accuracy(); }
EXPORTED(digits) int* digits() { return typed.data(); }  // ten, which the page writes
EXPORTED(look_up) void look_up() { current->look_up(typed); }
EXPORTED(answers) const int* answers() { return current->answers.data(); }
EXPORTED(attention_of) const float* attention_of() { return current->attention.data(); }
