// The model of Sutskever et al. 2014: an encoder of four LSTM layers reads the sentence from its end to its beginning; its final states
// start a decoder of four layers with separate weights.
#pragma once

#include "sizes.hpp"

#include <tenon/tenon.hpp>

#include <algorithm>
#include <cmath>

namespace translation {

template <sizes S>
struct sutskever {
  static constexpr sizes size = S;
  static constexpr const char* name = "Sutskever's model";
  static constexpr int batch = 32, epochs = 16, epochs_of_grammar = 200;
  static constexpr bool has_attention = false, reverses_source = true;

  using network = tenon::graph<"sutskever",
      tenon::input<"source", tenon::token<S.source_words>, tenon::steps<S.steps, "source">>,
      tenon::input<"word",   tenon::token<S.target_words>, tenon::steps<S.steps, "target">>,
      tenon::node<"read",    tenon::nn::embedding<S.source_words, S.embedding>,      "source">,
      tenon::node<"encoder", tenon::nn::lstm<S.hidden, tenon::layers<4>>,            "read">,
      tenon::node<"before",  tenon::nn::embedding<S.target_words, S.embedding>,      "word">,
      tenon::node<"decoder", tenon::nn::lstm<S.hidden, tenon::layers<4>>,            "before", "encoder.h_n", "encoder.c_n">,
      tenon::node<"logits",  tenon::nn::linear<S.target_words>,                      "decoder">,
      tenon::output<"logits">>;

  // The paper's loss is a sum over words, divided by the number of sentences; here it is a mean over words, of which a sentence has
  // `words`. So the rate is 0.7 * words, and the largest norm is 5 / words in place of 5. The paper trains for 7.5 epochs and halves the
  // rate every half epoch after the fifth. Here are fewer sentences and more epochs; the rate is halved at the same fractions of a training.
  using loss = tenon::losses::cross_entropy<"logits">;
  using rule = tenon::optimizers::sgd;
  static double max_norm(double words) { return 5 / words; }
  static tenon::schedules::schedule rate(double words, int all_epochs) {
    return tenon::schedules::step_decay(0.7 * words, {.epochs = all_epochs / 15.0, .after = all_epochs / 1.5});
  }
  // The paper's range, 0.08, for few units a wider one: with 32 of them signals would die out in four layers.
  static void prepare(tenon::parameters<network>& theta, tenon::seed s) {
    const double range = 0.08 * std::sqrt(std::max(1.0, 256.0 / S.hidden));
    tenon::initialize(theta, "*", tenon::init::uniform(-range, range), s);
  }
};

}  // namespace translation
