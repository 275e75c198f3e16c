// conv1d<Channels, Width, ..>: along the steps of a sequence, [time, D] to [windows, Channels]; conv2d<Channels, Height, Width,
// ..>: over a grid, [height, width, D] to [.., .., Channels]. At each window y = W [its neighbours side by side] + b,
// with zeros outside the sequence or the grid, and past a sequence's end. Options: those of unfold (stride, dilation,
// padding, same_padding, is_causal, named_axis) and no_bias. Parameters: weight [Channels, Height * Width * D], the features of
// each place side by side, the first neighbour first (PyTorch's [Channels, D, Height, Width] with D as its last axis);
// bias [Channels]. They start uniform in +-1/sqrt(Height Width D), as in PyTorch.
#pragma once

#include "tenon/nn/linear.hpp"
#include "tenon/nn/unfold.hpp"

namespace tenon::inline v0_1 {

namespace detail {

struct convolution_options : window_options {
  static constexpr const char* all =
      "stride<n>, dilation<n>, padding<n>, same_padding, is_causal, no_bias, initialized<\"name\", start>, "
      "frozen, frozen_parameters<\"name\">, named_axis<\"name\">";
  using window_options::window_options;
  bool bias = true;
  ir::parameter_rules rules{};
};

template <int Channels, bool OfGrid, int Height, int Width, class... Options>
struct convolved {
  static constexpr auto options = windows_of<Options...>(convolution_options{OfGrid, Height, Width});

  static constexpr int build(builder& b, const edges& in) {
    constexpr const char* layer = OfGrid ? "conv2d" : "conv1d";
    if (Channels <= 0)
      return b.fail({.rule = sentence(layer).append(" needs a positive number of channels"),
                     .fix = "write conv1d<channels, width>, conv2d<channels, height, width>"});
    if (!accept_windows(b, in, options, layer)) return -1;
    const bool is_one_place = options.over.size() == 1 && options.over.is_one_each();
    const int x = is_one_place ? in[0] : add_windows(b, in[0], options);
    const int features = b[x].size;
    ir::initializers start(ir::initial::uniform, inverse_sqrt(features));
    start.places = options.over.size();
    const int first = b.net.parameters.size;
    const int y = b.apply(ir::tracer_of<affine<Channels, options.bias>>, ir::sizes{features},
                          b.axes_of(edges{x}), edges{x}, {}, start);
    for (int p = first; p < b.net.parameters.size; ++p)
      if (ir::parameter& weight = b.net.parameters[p]; weight.columns > 0) {
        weight.kernel_height = OfGrid ? Height : 0;
        weight.kernel_width = Width;
      }
    return y;
  }
};

}  // namespace detail

namespace nn {

template <int Channels, int Width, class... Options>
struct conv1d : detail::convolved<Channels, false, 1, Width, Options...> {};
template <int Channels, int Height, int Width, class... Options>
struct conv2d : detail::convolved<Channels, true, Height, Width, Options...> {};

}  // namespace nn

}  // namespace tenon::inline v0_1
