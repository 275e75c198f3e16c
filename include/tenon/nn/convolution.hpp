// conv1d<Channels, Width>: a convolution along the steps of a sequence. Output [time, batch, Channels], as many steps as
// the input: y_t = W [x_(t - Width / 2); ..; x_t; ..] + b, neighbours dilation<D> steps apart, zeros where the sequence
// has none (PyTorch's padding="same" of an odd width). Parameters: weight [Channels, Width * In], the features of a step
// side by side, the earliest step first (PyTorch's [Channels, In, Width], its last two axes exchanged); bias [Channels].
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/linear.hpp"

namespace tenon {

template <int Steps>
struct dilation {
  static constexpr int steps = Steps;
};

namespace detail {

template <int Channels, int Width, int Dilation>
struct convolved {
  static constexpr auto at(auto x) {
    return equations::matrix<"weight", Channels>(window<Width, Dilation>(x, along(x))) +
           equations::vector<"bias">;
  }
};

}  // namespace detail

template <int Channels, int Width, class Spacing = dilation<1>>
struct conv1d {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "conv1d", "concat several sources first")) return -1;
    if constexpr (Channels <= 0 || Width <= 0 || !requires { Spacing::steps; }) {
      return b.fail({.rule = "conv1d needs positive numbers of channels and of steps",
                     .fix = "write conv1d<channels, width>, or conv1d<channels, width, dilation<2>>"});
    } else {
      if (!b.require_numbers(in[0], "conv1d") || !b.require_sequence(in[0], "conv1d")) return -1;
      const int features = b[in[0]].size;
      return b.apply(ir::trace_at<detail::convolved<Channels, Width, Spacing::steps>>(ir::sizes{features},
                                                                                      b.axes_of(in)),
                     in, {}, {initial::uniform, detail::inverse_sqrt(features * Width)});
    }
  }
};

}  // namespace tenon
