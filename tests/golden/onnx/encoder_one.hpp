// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace encoder_one_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int words_values = 23;

using encoder_one = graph<"encoder_one",
    input<"words", token<words_values>, steps<11>>,
    node<"table", embedding<words_values, 10>, "words">,
    node<"encoder_layers_0_self_attn", multi_head<10, 2>, "table">,
    node<"add", add, "table", "encoder_layers_0_self_attn">,
    node<"encoder_layers_0_norm1", layer_norm, "add">,
    node<"encoder_layers_0_linear1", linear<17>, "encoder_layers_0_norm1">,
    node<"gelu", activation::gelu, "encoder_layers_0_linear1">,
    node<"encoder_layers_0_linear2", linear<10>, "gelu">,
    node<"add_1", add, "encoder_layers_0_norm1", "encoder_layers_0_linear2">,
    node<"encoder_layers_0_norm2", layer_norm, "add_1">,
    node<"encoder_layers_1_self_attn", multi_head<10, 2>, "encoder_layers_0_norm2">,
    node<"add_2", add, "encoder_layers_0_norm2", "encoder_layers_1_self_attn">,
    node<"encoder_layers_1_norm1", layer_norm, "add_2">,
    node<"encoder_layers_1_linear1", linear<17>, "encoder_layers_1_norm1">,
    node<"gelu_1", activation::gelu, "encoder_layers_1_linear1">,
    node<"encoder_layers_1_linear2", linear<10>, "gelu_1">,
    node<"add_3", add, "encoder_layers_1_norm1", "encoder_layers_1_linear2">,
    node<"encoder_layers_1_norm2", layer_norm, "add_3">,
    node<"answer", linear<3>, "encoder_layers_1_norm2">,
    output<"answer">>;

}  // namespace encoder_one_network

using encoder_one_network::encoder_one;
