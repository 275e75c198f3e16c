// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace index_lookup_new_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;
constexpr int words_values = 23;
constexpr int index_values = 11;

using index_lookup_new = graph<"index_lookup_new",
    input<"words", token<words_values>, steps<most_steps>>,
    input<"index", token<index_values>>,
    node<"table", embedding<words_values, 5>, "words">,
    node<"lstm_113", lstm<13, bidirectional>, "table">,
    node<"lstm_221", lstm<13, bidirectional>, "lstm_113">,
    node<"places", embedding<index_values, 7>, "index">,
    node<"query", linear<26>, "places">,
    node<"bmm_1", attention<score::dot>, "query", "lstm_221">,
    node<"answer", linear<23>, "bmm_1">,
    output<"answer">>;

}  // namespace index_lookup_new_network

using index_lookup_new_network::index_lookup_new;
