// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace tagger_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;
constexpr int words_values = 23;

using tagger = graph<"tagger",
    input<"words", token<words_values>, steps<most_steps>>,
    node<"table", embedding<words_values, 5>, "words">,
    node<"states", lstm<13, bidirectional>, "table">,
    node<"tags", linear<3>, "states">,
    output<"tags">>;

}  // namespace tagger_network

using tagger_network::tagger;
