// A network, and all that a program does with it, which its library compiles.
#pragma once

#include <tenon/tenon.hpp>

#include <vector>

namespace letters {

using model = tenon::graph<"letters", tenon::input<"word", tenon::token<5>, tenon::steps<7>>,
                           tenon::node<"embedded", tenon::nn::embedding<5, 3>, "word">,
                           tenon::node<"states", tenon::nn::gru<11>, "embedded">,
                           tenon::node<"logits", tenon::nn::linear<5>, "states">, tenon::output<"logits">>;
using judging = tenon::inference<model>;
using writing = tenon::streaming<model>;
using training =
    tenon::trainer<model, tenon::losses::cross_entropy<"logits">, tenon::optimizers::adam, tenon::batch<2>>;

inline auto samples_of(std::vector<std::vector<int>> words, std::vector<std::vector<int>> next) {
  return tenon::data_set(tenon::column<"word">(std::move(words)), tenon::column<"target">(std::move(next)));
}
using samples = decltype(samples_of({}, {}));

}  // namespace letters

TENON_DECLARE_SESSION(letters::judging);
TENON_DECLARE_SESSION(letters::writing);
TENON_DECLARE_TRAINING(letters::training,
                       letters::samples);  // in two lines, for whoever reads the declarations
TENON_DECLARE_DECODER(generate, letters::writing, "word");
// TENON_DECLARE_SESSION(letters::nothing);
