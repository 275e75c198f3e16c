// Decoders of papers as graphs. "memory" is what an encoder has made of the source, "word" the word before each that is written.
#pragma once

#include "tenon/nn/attention.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

inline constexpr int known_words = 6, memory_features = 3, state_features = 4;

template <class... Entries>
using decoder_of_words =
    graph<"decoder", input<"memory", features<memory_features>, steps<5, "source">>,
          input<"word", token<known_words>, steps<4, "target">>, Entries..., output<"logits">>;

// The score of the last word's embedding: softmax_j(e(y) . h_j). It does not depend on the decoder's state, so it is a layer before it.
using by_last_word = decoder_of_words<node<"before", embedding<known_words, memory_features>, "word">,
                                      node<"context", attention<score::dot>, "before", "memory">,
                                      node<"seen", concatenate, "before", "context">,
                                      node<"decoder", rnn<state_features>, "seen">,
                                      node<"logits", linear<known_words>, "decoder">>;

// Cho et al. 2014: s_t = f(s_{t-1}, y_{t-1}, c), and the scores g(s_t, y_{t-1}, c).
using of_one_context = decoder_of_words<node<"before", embedding<known_words, 3>, "word">,
                                        node<"encoder", rnn<state_features>, "memory">,
                                        node<"seen", concatenate, "before", "encoder.final">,
                                        node<"decoder", rnn<state_features>, "seen", "encoder.final">,
                                        node<"known", concatenate, "decoder", "before", "encoder.final">,
                                        node<"logits", linear<known_words>, "known">>;

// Scores e[w] . s_t, with the table that the words are read with (Press and Wolf 2017).
using of_one_table = decoder_of_words<node<"before", embedding<known_words, state_features>, "word">,
                                      node<"encoder", rnn<state_features>, "memory">,
                                      node<"decoder", rnn<state_features>, "before", "encoder.final">,
                                      node<"logits", linear<known_words, no_bias>, "decoder">,
                                      tied<"before.weight", "logits.weight">>;

// Local attention (Luong, Pham and Manning 2015): the scores s_t . W h_j of a few places j only, at most D from p_t. Monotonic: p_t = t.
struct local_monotonic : equations::symbols {
  static constexpr auto at(auto s, auto memory) {
    const auto distance = position_of<"source">(memory) - position_of<"target">(s);
    const auto scores = masked(dot(s, W<"a">(memory)), greater(abs(distance), 1));
    return sum<"source">(softmax<"source">(scores) * memory);
  }
};
// Predictive: p_t = S sigmoid(v . tanh(W s_t)) of S places; the weights are smaller away from it, with a deviation of D / 2.
struct local_predictive : equations::symbols {
  static constexpr auto at(auto s, auto memory) {
    constexpr double D = 1.5, deviation = D / 2;
    const auto place = length_of<"source">(memory) * sigmoid(matrix<"v", 1>(tanh(W<"p", 2>(s))));
    const auto distance = position_of<"source">(memory) - place;
    const auto weights = softmax<"source">(masked(dot(s, W<"a">(memory)), greater(abs(distance), D)));
    return sum<"source">(weights * exp(square(distance) / (-2 * deviation * deviation)) * memory);
  }
};
template <class Context>
using local = decoder_of_words<
    node<"before", embedding<known_words, 3>, "word">, node<"decoder", rnn<state_features>, "before">,
    node<"context", Context, "decoder", "memory">, node<"seen", concatenate, "decoder", "context">,
    node<"logits", linear<known_words>, "seen">>;

}  // namespace tenon::test
