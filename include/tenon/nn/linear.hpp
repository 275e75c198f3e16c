// linear<Out>: y = x W^T + b with W [Out, In], b [Out], at every position. In is inferred, or asserted:
// linear<In, Out>.
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/options.hpp"

namespace tenon {

namespace detail {

template <int Out, bool Bias>
struct affine {
  static constexpr auto at(auto x) {
    if constexpr (Bias) return equations::matrix<"weight", Out>(x) + equations::vector<"bias">;
    else return equations::matrix<"weight", Out>(x);
  }
};

// 1 / sqrt(n), at compile time (Newton's iteration)
constexpr double inverse_sqrt(int n) {
  double root = 1;
  for (int k = 0; k < 60; ++k) root = 0.5 * (root + n / root);
  return 1 / root;
}

template <int In, int Out, bool Bias>
struct linear_layer {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "linear", "concat several sources first")) return -1;
    if (Out <= 0 || In < 0)
      return b.fail({.rule = "linear needs positive sizes", .fix = "write linear<in, out> or linear<out>"});
    if (!b.require_numbers(in[0], "linear")) return -1;
    const edge& x = b[in[0]];
    if (In > 0 && In != x.size)
      return b.fail({.rule = "linear expects",
                     .axis = "features",
                     .expected = In,
                     .got = x.size,
                     .source = x.path,
                     .fix = sentence("write linear<")
                                .append(x.size)
                                .append(", ")
                                .append(Out)
                                .append(">, or mend '")
                                .append(x.path.view())
                                .append("'")});
    return b.apply(ir::trace_at<affine<Out, Bias>>(sizes{x.size}), in, {},
                   {initial::uniform, inverse_sqrt(x.size)});
  }
};

template <int...>
struct linear_sizes {
  static constexpr int in = -1, out = -1;
};
template <int Out>
struct linear_sizes<Out> {
  static constexpr int in = 0, out = Out;
};
template <int In, int Out>
struct linear_sizes<In, Out> {
  static constexpr int in = In, out = Out;
};

}  // namespace detail

template <int... Sizes>
struct linear
    : detail::linear_layer<detail::linear_sizes<Sizes...>::in, detail::linear_sizes<Sizes...>::out, true> {};
template <int... Sizes>
struct linear_no_bias
    : detail::linear_layer<detail::linear_sizes<Sizes...>::in, detail::linear_sizes<Sizes...>::out, false> {};

}  // namespace tenon
