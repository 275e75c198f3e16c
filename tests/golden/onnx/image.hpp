// The network of an ONNX file. Its weights: load(theta, "...safetensors"), or io::load_onnx(theta, "...onnx").
#pragma once

#include <tenon/tenon.hpp>

namespace image_network {
using namespace tenon;
using namespace tenon::nn;


using image = graph<"image",
    input<"image", features<3>, grid<11, 13>>,
    node<"first", conv2d<5, 3, 5, same_padding>, "image">,
    node<"relu", activation::relu, "first">,
    node<"maxpool", max_pool2d<2, 2>, "relu">,
    node<"second", conv2d<7, 3, 3, stride<2, 2>>, "maxpool">,
    node<"tanh", activation::tanh, "second">,
    node<"reducemean", mean_over<>, "tanh">,
    node<"answer", linear<3>, "reducemean">,
    output<"answer">>;

}  // namespace image_network

using image_network::image;
