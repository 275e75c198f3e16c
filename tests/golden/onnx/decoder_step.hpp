// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace decoder_step_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;
constexpr int word_values = 23;

struct matmul_1_attention {
  static constexpr auto at(auto query, auto key, auto value) {
    const auto keys = ir::as_axis(key), values = ir::as_axis(value);
    return weighted_sum(softmax(ir::dot<1>(query, keys), along(keys)), values, along(keys));
  }
};

using decoder_step = graph<"decoder_step",
    input<"word", token<word_values>, steps<1, "word">>,
    input<"h0", features<13>, layers<1>>,
    input<"memory", features<13>, steps<most_steps, "memory">>,
    node<"table", embedding<word_values, 5>, "word">,
    node<"states", gru<13>, "table", "h0">,
    node<"matmul_1", matmul_1_attention, "states", "memory", "memory">,
    node<"concat", concatenate, "states", "matmul_1">,
    node<"answer", linear<23>, "concat">,
    output<"answer">,
    output<"states.h_n">>;

}  // namespace decoder_step_network

using decoder_step_network::decoder_step;
