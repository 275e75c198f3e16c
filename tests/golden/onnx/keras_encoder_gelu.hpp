// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace keras_encoder_gelu_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int x_values = 23;

struct net_1_norm_1_norm : equations::symbols {
  static constexpr auto at(auto x) { return normalize(x, 0.001) * vector<"weight"> + vector<"bias">; }
};

struct net_1_last_norm_1_norm : equations::symbols {
  static constexpr auto at(auto x) { return normalize(x, 0.001) * vector<"weight"> + vector<"bias">; }
};

using keras_encoder_gelu = graph<"keras_encoder_gelu",
    input<"x", token<x_values>, steps<11>>,
    node<"net_1_table_1", embedding<x_values, 10>, "x">,
    node<"net_1_attention_1_attention_output_1", multi_head<10, 2>, "net_1_table_1">,
    node<"net_1", add, "net_1_table_1", "net_1_attention_1_attention_output_1">,
    node<"net_1_norm_1", net_1_norm_1_norm, "net_1">,
    node<"net_1_wide_1_tensordot", linear<17>, "net_1_norm_1">,
    node<"net_1_wide_1_gelu", activation::gelu, "net_1_wide_1_tensordot">,
    node<"net_1_narrow_1_tensordot", linear<10>, "net_1_wide_1_gelu">,
    node<"net_1_2", add, "net_1_norm_1", "net_1_narrow_1_tensordot">,
    node<"net_1_last_norm_1", net_1_last_norm_1_norm, "net_1_2">,
    node<"identity_0", linear<3>, "net_1_last_norm_1">,
    output<"identity_0">>;

}  // namespace keras_encoder_gelu_network

using keras_encoder_gelu_network::keras_encoder_gelu;
