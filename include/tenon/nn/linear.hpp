// linear<Out>: y = x W^T + b with W [Out, In], b [Out], at every position. In is inferred, or asserted: linear<In, Out>.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

struct no_bias {};

namespace detail {

template <int Out, bool Bias>
struct affine {
  static constexpr auto at(auto x) {
    if constexpr (Bias) return matrix<"weight", Out>(x) + vector<"bias">;
    else return matrix<"weight", Out>(x);
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
    if (!b.require(Out > 0 && In >= 0, {.rule = "linear needs positive sizes", .fix = "write linear<in, out> or linear<out>"})) return -1;
    if (!b.require_numbers(in[0], "linear")) return -1;
    sentence fix = "write linear<";
    fix.append(b[in[0]].size).append(", ").append(Out).append(">, or mend '").append(b[in[0]].path.view()).append("'");
    if (In > 0) b.require_size(in[0], In, "linear", "");
    if (!b.ok()) {
      if (b.wrong.fix.empty()) b.wrong.fix = fix;
      return -1;
    }
    return b.apply(trace_at<affine<Out, Bias>>(sizes{b[in[0]].size}), in, {}, {initial::uniform, inverse_sqrt(b[in[0]].size)});
  }
};

template <int...>
struct linear_sizes;
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
struct linear : detail::linear_layer<detail::linear_sizes<Sizes...>::in, detail::linear_sizes<Sizes...>::out, true> {};
template <int... Sizes>
struct linear_no_bias : detail::linear_layer<detail::linear_sizes<Sizes...>::in, detail::linear_sizes<Sizes...>::out, false> {};

}  // namespace tenon
