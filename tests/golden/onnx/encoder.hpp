// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace encoder_network {
using namespace tenon;
using namespace tenon::nn;

constexpr int words_values = 23;

using encoder = graph<"encoder",
    input<"words", token<words_values>, steps<11>>,
    node<"table", embedding<words_values, 10>, "words">,
    node<"encoder_layers_0_self_attn", multi_head<10, 2>, "table">,
    node<"encoder_layers_0", add, "table", "encoder_layers_0_self_attn">,
    node<"encoder_layers_0_norm1", layer_norm, "encoder_layers_0">,
    node<"encoder_layers_0_linear1", linear<17>, "encoder_layers_0_norm1">,
    node<"encoder_layers_0_2", activation::gelu, "encoder_layers_0_linear1">,
    node<"encoder_layers_0_linear2", linear<10>, "encoder_layers_0_2">,
    node<"encoder_layers_0_3", add, "encoder_layers_0_norm1", "encoder_layers_0_linear2">,
    node<"encoder_layers_0_norm2", layer_norm, "encoder_layers_0_3">,
    node<"encoder_layers_1_self_attn", multi_head<10, 2>, "encoder_layers_0_norm2">,
    node<"encoder_layers_1", add, "encoder_layers_0_norm2", "encoder_layers_1_self_attn">,
    node<"encoder_layers_1_norm1", layer_norm, "encoder_layers_1">,
    node<"encoder_layers_1_linear1", linear<17>, "encoder_layers_1_norm1">,
    node<"encoder_layers_1_2", activation::gelu, "encoder_layers_1_linear1">,
    node<"encoder_layers_1_linear2", linear<10>, "encoder_layers_1_2">,
    node<"encoder_layers_1_3", add, "encoder_layers_1_norm1", "encoder_layers_1_linear2">,
    node<"encoder_layers_1_norm2", layer_norm, "encoder_layers_1_3">,
    node<"answer", linear<3>, "encoder_layers_1_norm2">,
    output<"answer">>;

}  // namespace encoder_network

using encoder_network::encoder;
