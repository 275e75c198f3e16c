// What all files of a program share about a training: its types, and the declaration that one file compiles its runs, fit and evaluate.
#pragma once

#include <tenon/tenon.hpp>

#include <array>
#include <utility>
#include <vector>

using tagger = tenon::graph<"tagger", tenon::input<"x", tenon::features<3>, tenon::steps<5>>,
                            tenon::node<"states", tenon::nn::gru<8>, "x">,
                            tenon::node<"logits", tenon::nn::linear<3>, "states">, tenon::output<"logits">>;
using training =
    tenon::trainer<tagger, tenon::losses::cross_entropy<"logits">, tenon::optimizers::adam, tenon::batch<4>>;

using sequences = std::vector<std::vector<std::array<float, 3>>>;
using tags = std::vector<std::vector<int>>;
inline auto samples_of(sequences x, tags target) {
  return tenon::data_set(tenon::column<"x">(std::move(x)), tenon::column<"target">(std::move(target)));
}
using samples = decltype(samples_of({}, {}));

#ifndef EVERY_FILE_COMPILES
TENON_DECLARE_TRAINING(training, samples);
#endif
