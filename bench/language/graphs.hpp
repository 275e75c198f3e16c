// The networks, and the parameters that every contender starts with.
#pragma once

#include "../../examples/translate/bahdanau.hpp"
#include "../../examples/translate/transformer.hpp"
#include "language/work.hpp"

namespace bench {

template <bool Large>
inline constexpr translation::sizes sizes_of = [] {
  translation::sizes s = Large ? translation::multi30k : translation::small;
  s.dropout = 0;
  return s;
}();

// clang-format off
template <int Words, int Hidden>
using words_graph = tenon::graph<"words",
    tenon::input<"text", tenon::token<Words>, tenon::steps<language_work::steps>>,
    tenon::input<"h0", tenon::layers<2>, tenon::features<Hidden>>,
    tenon::input<"c0", tenon::layers<2>, tenon::features<Hidden>>,
    tenon::node<"embedded", tenon::nn::embedding<Words, Hidden, tenon::nn::initialized<"weight", tenon::init::uniform(-0.1, 0.1)>>, "text">,
    tenon::node<"states", tenon::nn::lstm<Hidden, tenon::layers<2>>, "embedded", "h0", "c0">,
    tenon::node<"logits", tenon::nn::linear<Words>, "states">,
    tenon::tied<"embedded.weight", "logits.weight">,
    tenon::output<"logits">, tenon::output<"states.h_n">, tenon::output<"states.c_n">>;
// clang-format on

// The model of a work as a type: a graph, the loss and the optimizer.
template <model M, bool Large>
struct model_of;
template <bool Large>
struct model_of<model::bahdanau, Large> : translation::bahdanau<sizes_of<Large>> {};
template <bool Large>
struct model_of<model::transformer, Large> : translation::transformer<sizes_of<Large>> {};
template <bool Large>
struct model_of<model::words, Large> {
  using network = words_graph<Large ? 33278 : 500, Large ? 200 : 32>;
  using loss = tenon::losses::cross_entropy<"logits">;
  using rule = tenon::optimizers::sgd;
};

// A search needs scores that differ, and hypotheses of one length: so the end token is made unlikely.
template <class G>
void initialize(tenon::parameters<G>& theta, const language_work& w) {
  theta.initialize(tenon::seed{2024});
  if (!w.searches) return;
  tenon::initialize(theta, "*", tenon::init::normal(0, 0.1), tenon::seed{2024});
  theta.for_each([](std::string_view name, auto values) {
    if (name == "logits.1.bias") values.data()[language_work::end] = -1000;
  });
}

}  // namespace bench
