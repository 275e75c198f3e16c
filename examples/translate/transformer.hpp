// The transformer of Vaswani et al. 2017: three encoder and three decoder blocks with the normalisation first (Xiong et al. 2020),
// which allows high learning rates; the table of the target words is also the matrix of the scores (Press and Wolf 2017).
#pragma once

#include "sizes.hpp"

#include <tenon/tenon.hpp>

#include <algorithm>

namespace translation {

template <sizes S>
struct transformer {
  static constexpr sizes size = S;
  static constexpr const char* name = "a transformer";
  static constexpr int batch = 80, epochs = 24, epochs_of_grammar = 14;
  static constexpr bool has_attention = false, reverses_source = false;
  static constexpr int features = std::min(S.embedding, 128), heads = 4, feed_forward = 2 * S.hidden;

  static constexpr double root = [] {  // the square root of `features`
    double r = features;
    for (int k = 0; k < 40; ++k) r = 0.5 * (r + features / r);
    return r;
  }();

  // The table starts with small numbers, as a matrix of scores needs; what is read from it is scaled to the size of the positions.
  struct enlarged {
    static constexpr auto at(auto x) { return x * root; }
  };
  template <int Words>
  using words = tenon::nn::chain<tenon::nn::embedding<Words, features, tenon::nn::initialized<"weight", tenon::init::normal(0, 1 / root)>>,
                             enlarged, tenon::nn::sinusoidal_positions<features>, tenon::nn::dropout<S.dropout>>;
  using reading = tenon::nn::transformer_encoder<features, heads, feed_forward, tenon::nn::norm_first, tenon::nn::dropout<S.dropout>>;
  using writing = tenon::nn::transformer_decoder<features, heads, feed_forward, tenon::nn::norm_first, tenon::nn::dropout<S.dropout>>;

  using network = tenon::graph<"transformer",
      tenon::input<"source", tenon::token<S.source_words>, tenon::steps<S.steps, "source">>,
      tenon::input<"word",   tenon::token<S.target_words>, tenon::steps<S.steps, "target">>,
      tenon::node<"read",    words<S.source_words>,  "source">,
      tenon::node<"memory",  tenon::nn::chain<reading, reading, reading, tenon::nn::layer_norm>, "read">,
      tenon::node<"before",  words<S.target_words>,  "word">,
      tenon::node<"first",   writing, "before", "memory">,
      tenon::node<"second",  writing, "first", "memory">,
      tenon::node<"third",   writing, "second", "memory">,
      tenon::node<"found",   tenon::nn::layer_norm, "third">,
      tenon::node<"logits",  tenon::nn::linear<S.target_words>, "found">,
      tenon::tied<"before.0.weight", "logits.weight">,
      tenon::output<"logits">>;

  using loss = tenon::losses::cross_entropy<"logits", "target", tenon::losses::label_smoothing<0.1>>;
  using rule = tenon::optimizers::adam;
  static double max_norm(double) { return 1; }
  static tenon::schedules::schedule rate(double, int) { return tenon::schedules::warm_up(400, tenon::schedules::cosine(3e-3)); }
  static void prepare(tenon::parameters<network>&, tenon::seed) {}
};

}  // namespace translation
