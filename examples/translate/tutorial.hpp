// The decoder of PyTorch's sequence-to-sequence tutorial (S. Robertson): the attention weights are computed only from the word and the state, one
// for each position of the longest sentence. In training it reads the correct previous word with probability `Forced` (teacher forcing,
// Williams and Zipser 1989), otherwise the word that it has written itself (scheduled sampling, Bengio et al. 2015).
#pragma once

#include "sizes.hpp"

#include <tenon/tenon.hpp>

namespace translation {

// One step after the previous word: the next state, the scores of the next word, and the weights.
template <sizes S>
struct tutorial_step : tenon::equations::symbols {
  struct result {
    tenon::ir::value state, scores, weights;
  };
  static constexpr result of(auto word, auto s, auto states) {
    const tenon::ir::value y = tenon::nn::dropout<S.dropout>(matrix<"embedding", S.embedding>(one_hot<S.target_words>(word)));
    const auto weights = softmax(W<"attn", S.steps>(concat(y, s)) + b<"attn">);
    const auto found = sum<"source">(pick(weights, position_of<"source">(states)) * states);
    const auto x = relu(W<"combine", S.hidden>(concat(y, found)) + b<"combine">);
    const auto z = sigmoid(W<"z">(x) + U<"z">(s) + b<"z">), r = sigmoid(W<"r">(x) + U<"r">(s) + b<"r">);
    const auto next_s = (1 - z) * s + z * tanh(W<"n">(x) + U<"n">(r * s) + b<"n">);
    return {next_s, matrix<"out", S.target_words>(next_s) + vector<"out_bias">, weights};
  }
};
// In training the decoder has a second state: the word that it has written last.
template <sizes S, double Forced>
struct learning_decoder {
  static constexpr auto step(auto word, auto s, auto last, auto states) {
    const auto made = tutorial_step<S>::of(select(tenon::ir::bernoulli<Forced>(word), word, last), s, states);
    return next(made.state, argmax(made.scores)).emitting(concat(made.scores, made.weights));
  }
};
// When it translates, the search passes that word in.
template <sizes S>
struct writing_decoder {
  static constexpr auto step(auto word, auto s, auto states) {
    const auto made = tutorial_step<S>::of(word, s, states);
    return next(made.state).emitting(concat(made.scores, made.weights));
  }
};

template <sizes S, double Forced>
struct tutorial {
  static constexpr sizes size = S;
  static constexpr const char* name = Forced == 1 ? "the tutorial's decoder, with teacher forcing" : "the tutorial's decoder, without teacher forcing";
  static constexpr int batch = 32, epochs = 10, epochs_of_grammar = 20;
  static constexpr bool has_attention = true, reverses_source = false;

  struct first_word {  // the start, which is word 1
    static constexpr auto at(auto last) { return 0 * sum(last) + 1; }
  };
  struct scores {
    static constexpr auto at(auto x) { return slice<0, S.target_words>(x); }
  };
  struct weights {
    static constexpr auto at(auto x) { return slice<S.target_words, S.steps>(x); }
  };
  template <class... Decoder>
  using with = tenon::graph<"tutorial",
      tenon::input<"source", tenon::token<S.source_words>, tenon::steps<S.steps, "source">>,
      tenon::input<"word",   tenon::token<S.target_words>, tenon::steps<S.steps, "target">>,
      tenon::node<"read",    tenon::nn::embedding<S.source_words, S.embedding>,  "source">,
      tenon::node<"states",  tenon::nn::gru<S.hidden>,                           "read">,
      Decoder...,
      tenon::node<"logits",  scores,   "decoder">,
      tenon::node<"weights", weights,  "decoder">,
      tenon::output<"logits">, tenon::output<"weights">>;
  using network = with<tenon::node<"first", first_word, "states.final">,
                       tenon::node<"decoder", tenon::nn::recurrent<learning_decoder<S, Forced>, tenon::nn::hidden<S.hidden, 1>>, "word", "states.final", "first", "states">>;
  using writer = with<tenon::node<"decoder", tenon::nn::recurrent<writing_decoder<S>, tenon::nn::hidden<S.hidden>>, "word", "states.final", "states">>;

  using loss = tenon::losses::cross_entropy<"logits">;
  using rule = tenon::optimizers::adam;
  static double max_norm(double) { return 1; }
  static tenon::schedules::schedule rate(double, int) { return tenon::schedules::cosine(S.rate); }
  static void prepare(tenon::parameters<network>&, tenon::seed) {}
};
template <sizes S>
using with_forcing = tutorial<S, 1.0>;
template <sizes S>
using without_forcing = tutorial<S, 0.0>;

}  // namespace translation
