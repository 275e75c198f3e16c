// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace keras_text_cnn_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int x_values = 23;

using keras_text_cnn = graph<"keras_text_cnn",
    input<"x", token<x_values>, steps<11>>,
    node<"net_1_table_1", embedding<x_values, 5>, "x">,
    node<"net_1_windows_5_1", conv1d<13, 5, same_padding>, "net_1_table_1">,
    node<"net_1_windows_3_1", conv1d<13, 3, same_padding>, "net_1_table_1">,
    node<"net_1_windows_5_1_2", activation::relu, "net_1_windows_5_1">,
    node<"net_1_most_5_1", max_over<>, "net_1_windows_5_1_2">,
    node<"net_1_windows_3_1_2", activation::relu, "net_1_windows_3_1">,
    node<"net_1_most_3_1", max_over<>, "net_1_windows_3_1_2">,
    node<"net_1_found_1", concatenate, "net_1_most_3_1", "net_1_most_5_1">,
    node<"net_1_answer_1", linear<3>, "net_1_found_1">,
    node<"identity_0", activation::softmax, "net_1_answer_1">,
    output<"identity_0">>;

}  // namespace keras_text_cnn_network

using keras_text_cnn_network::keras_text_cnn;
