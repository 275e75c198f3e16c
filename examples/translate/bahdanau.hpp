// The model of Bahdanau et al. 2015: a bidirectional encoder of gated units, and a decoder that attends to all of the encoder's states
// before each word. Initialisers are the paper's (appendix B.1); dropout, which the paper does not use, is for small data.
#pragma once

#include "sizes.hpp"

#include <tenon/tenon.hpp>

namespace translation {

// Matrices are N(0, 0.01^2), biases 0, matrices that multiply a state are orthogonal.
struct paper_gru : tenon::nn::cells::gru_cho {
  static constexpr tenon::init::start starts[]{{"W", tenon::init::normal(0, 0.01)},
                                               {"U", tenon::init::orthogonal()},
                                               {"b", tenon::init::constant(0)}};
};

template <sizes S>
struct bahdanau_decoder : tenon::equations::symbols {
  static constexpr tenon::init::start starts[]{
      {"W", tenon::init::normal(0, 0.01)},       {"U", tenon::init::orthogonal()},
      {"V", tenon::init::normal(0, 0.01)},       {"b", tenon::init::constant(0)},
      {"W", "a", tenon::init::normal(0, 0.001)}, {"U", "a", tenon::init::normal(0, 0.001)},
      {"v", tenon::init::constant(0)}};

  static constexpr auto step(auto y, auto s, auto states) {
    const auto scores = matrix<"v", 1>(tanh(W<"a", S.hidden>(s) + U<"a", S.hidden>(states)));
    const auto weights = softmax<"source">(scores);
    const auto c = sum<"source">(weights * states);
    const auto z = sigmoid(W<"z">(y) + U<"z">(s) + V<"z">(c) + b<"z">);
    const auto r = sigmoid(W<"r">(y) + U<"r">(s) + V<"r">(c) + b<"r">);
    const auto n = tanh(W<"n">(y) + U<"n">(r * s) + V<"n">(c) + b<"n">);
    return next((1 - z) * s + z * n).emitting(concat(s, c, as_features<"source">(weights)));
  }
};

template <sizes S>
struct bahdanau {
  static constexpr sizes size = S;
  static constexpr const char* name = "Bahdanau's model";
  static constexpr int batch = 80, epochs = 12, epochs_of_grammar = 40;
  static constexpr bool has_attention = true, reverses_source = false;

  struct first_state : tenon::equations::symbols {  // from the encoder's backward state at the first word
    static constexpr tenon::init::start starts[]{{"W", tenon::init::normal(0, 0.01)}, {"b", tenon::init::constant(0)}};
    static constexpr auto at(auto last) {
      return tanh(W<"s", S.hidden>(slice<S.hidden, S.hidden>(last)) + b<"s">);
    }
  };
  struct seen {
    static constexpr auto at(auto x) { return slice<0, 3 * S.hidden>(x); }
  };
  struct weights {
    static constexpr auto at(auto x) { return slice<3 * S.hidden, S.steps>(x); }
  };
  struct maxout : tenon::equations::symbols {
    static constexpr tenon::init::start starts[]{{"W", tenon::init::normal(0, 0.01)},
                                                 {"V", tenon::init::normal(0, 0.01)},
                                                 {"b", tenon::init::constant(0)}};
    static constexpr auto at(auto state_and_context, auto y) {
      const auto t = W<"o", 2 * S.hidden>(state_and_context) + V<"o">(y) + b<"o">;
      return max(slice<0, S.hidden>(t), slice<S.hidden, S.hidden>(t));
    }
  };
  template <int Words>
  using words = tenon::nn::chain<tenon::nn::embedding<Words, S.embedding, tenon::nn::initialized<"weight", tenon::init::normal(0, 0.01)>>, tenon::nn::dropout<S.dropout>>;

  using network = tenon::graph<"bahdanau",
      tenon::input<"source", tenon::token<S.source_words>, tenon::steps<S.steps, "source">>,
      tenon::input<"word",   tenon::token<S.target_words>, tenon::steps<S.steps, "target">>,
      tenon::node<"read",    words<S.source_words>,  "source">,
      tenon::node<"states",  tenon::nn::recurrent<paper_gru, tenon::nn::hidden<S.hidden>, tenon::nn::bidirectional>, "read">,
      tenon::node<"first",   first_state, "states.final">,
      tenon::node<"before",  words<S.target_words>, "word">,
      tenon::node<"decoder", tenon::nn::recurrent<bahdanau_decoder<S>, tenon::nn::hidden<S.hidden>>, "before", "first", "states">,
      tenon::node<"seen",    seen, "decoder">,
      tenon::node<"weights", weights, "decoder">,
      tenon::node<"deep",    maxout, "seen", "before">,
      tenon::node<"logits",  tenon::nn::chain<tenon::nn::dropout<S.dropout>, tenon::nn::linear<S.target_words>>, "deep">,
      tenon::output<"logits">, tenon::output<"weights">>;

  // Adam (Kingma and Ba 2015) reaches in minutes what the paper's Adadelta, below, needs far longer for.
  using loss = tenon::losses::cross_entropy<"logits">;
  using rule = tenon::optimizers::adam;
  static double max_norm(double) { return 1; }
  static tenon::schedules::schedule rate(double, int) { return tenon::schedules::warm_up(200, tenon::schedules::cosine(S.rate)); }
  static void prepare(tenon::parameters<network>&, tenon::seed) {}
};

// As in the paper (Zeiler 2012): its rates of decay need no learning rate.
template <sizes S>
struct bahdanau_with_adadelta : bahdanau<S> {
  static constexpr const char* name = "Bahdanau's model, with Adadelta";
  static constexpr int epochs_of_grammar = 120;
  using rule = tenon::optimizers::adadelta;
  static constexpr rule numbers{.rho = 0.95, .epsilon = 1e-6};
  static tenon::schedules::schedule rate(double, int) { return tenon::schedules::constant(1); }
};

}  // namespace translation
