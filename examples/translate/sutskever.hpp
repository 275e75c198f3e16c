// The model of Sutskever et al. 2014: an encoder of four LSTM layers reads the sentence from its end to its beginning; its final states
// start a decoder of four layers with separate weights. Dropout and the forget gates' bias (Gers et al. 2000), which the paper does not have, are
// for small data.
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
  static constexpr int batch = 32, epochs = 30, epochs_of_grammar = 60;
  static constexpr bool has_attention = false, reverses_source = true;
  static constexpr double dropped = S.dropout > 0 ? 0.2 : 0.0;

  template <int Words>
  using words = tenon::nn::chain<tenon::nn::embedding<Words, S.embedding>, tenon::nn::dropout<dropped>>;
  using layers = tenon::nn::lstm<S.hidden, tenon::layers<4>, tenon::nn::forget_bias<1>, tenon::nn::dropout<dropped>>;

  using network = tenon::graph<"sutskever",
      tenon::input<"source", tenon::token<S.source_words>, tenon::steps<S.steps, "source">>,
      tenon::input<"word",   tenon::token<S.target_words>, tenon::steps<S.steps, "target">>,
      tenon::node<"read",    words<S.source_words>, "source">,
      tenon::node<"encoder", layers,                "read">,
      tenon::node<"before",  words<S.target_words>, "word">,
      tenon::node<"decoder", layers,                "before", "encoder.h_n", "encoder.c_n">,
      tenon::node<"logits",  tenon::nn::chain<tenon::nn::dropout<dropped>, tenon::nn::linear<S.target_words>>, "decoder">,
      tenon::output<"logits">>;

  // Adam (Kingma and Ba 2015) learns more from 29,000 sentences than the paper's rule, below, which had 12 million.
  using loss = tenon::losses::cross_entropy<"logits">;
  using rule = tenon::optimizers::adam;
  static double max_norm(double) { return 1; }
  static tenon::schedules::schedule rate(double, int) { return tenon::schedules::warm_up(200, tenon::schedules::cosine(S.rate)); }
  static void prepare(tenon::parameters<network>&, tenon::seed) {}
};

// As in the paper. Its loss is a sum over words, divided by the number of sentences; here it is a mean over words, of which a sentence has
// `words`. So the rate is 0.7 * words, and the largest norm is 5 / words in place of 5. The paper trains for 7.5 epochs and halves the
// rate every half epoch after the fifth. Here are fewer sentences and more epochs; the rate is halved at the same fractions of a training.
template <sizes S>
struct sutskever_with_sgd : sutskever<S> {
  static constexpr const char* name = "Sutskever's model, with the paper's rule";
  static constexpr int epochs_of_grammar = 200;
  using rule = tenon::optimizers::sgd;
  static double max_norm(double words) { return 5 / words; }
  static tenon::schedules::schedule rate(double words, int all_epochs) {
    return tenon::schedules::step_decay(0.7 * words, {.epochs = all_epochs / 15.0, .after = all_epochs / 1.5});
  }
  // The paper's range, 0.08, for few units a wider one: with 32 of them signals would die out in four layers.
  static void prepare(tenon::parameters<typename sutskever<S>::network>& theta, tenon::seed s) {
    const double range = 0.08 * std::sqrt(std::max(1.0, 256.0 / S.hidden));
    tenon::initialize(theta, "*", tenon::init::uniform(-range, range), s);
  }
};

}  // namespace translation
