// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace text_cnn_new_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int most_steps = 11;
constexpr int words_values = 23;

using text_cnn_new = graph<"text_cnn_new",
    input<"words", token<words_values>, steps<most_steps>>,
    node<"table", embedding<words_values, 5>, "words">,
    node<"convolutions_0", conv1d<13, 3, same_padding>, "table">,
    node<"relu", activation::relu, "convolutions_0">,
    node<"max_1_0", max_over<>, "relu">,
    node<"convolutions_1", conv1d<13, 5, same_padding>, "table">,
    node<"relu_1", activation::relu, "convolutions_1">,
    node<"max_2_0", max_over<>, "relu_1">,
    node<"cat", concatenate, "max_1_0", "max_2_0">,
    node<"answer", linear<3>, "cat">,
    node<"log_softmax", activation::log_softmax, "answer">,
    output<"log_softmax">>;

}  // namespace text_cnn_new_network

using text_cnn_new_network::text_cnn_new;
