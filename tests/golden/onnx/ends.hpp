// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace ends_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;

using ends = graph<"ends",
    input<"x", features<5>, steps<most_steps>>,
    node<"states", gru<13>, "x">,
    node<"reducemean", mean_over<>, "states">,
    node<"concat", concatenate, "states.final", "reducemean">,
    node<"answer", linear<3>, "concat">,
    node<"softmax", activation::softmax, "answer">,
    output<"softmax">>;

}  // namespace ends_network

using ends_network::ends;
