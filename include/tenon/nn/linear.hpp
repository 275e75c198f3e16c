// linear<Out, ..>: y = x W^T + b with W [Out, In], b [Out], at every position. Options: features<In> checks In, which
// is otherwise inferred; no_bias.
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace detail {

template <int Out, bool Bias>
struct affine : equations::symbols {
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

struct linear_options {
  static constexpr const char* all =
      "features<in>, no_bias, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">";
  int features = 0;  // 0: inferred from the source
  bool bias = true;
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};

}  // namespace detail

namespace nn {

template <auto Size, class... Options>
struct linear {
  static constexpr int Out = ir::size_from<Size>;
  static constexpr int build(builder& b, const edges& in) {
    constexpr detail::linear_options options = detail::read_options<Options...>(detail::linear_options{});
    if (!detail::accept_options(b, options, "linear") ||
        !b.require_inputs(in, 1, 1, "linear", "concat several sources first"))
      return -1;
    if (!b.require_int(Out, options.features)) return -1;
    if (Out <= 0 || options.features < 0)
      return b.fail({.rule = "linear needs positive sizes", .fix = "write linear<out>"});
    if (!b.require_numbers(in[0], "linear")) return -1;
    const ir::edge& x = b[in[0]];
    if (options.features > 0 && options.features != x.size)
      return b.fail({.rule = "linear expects",
                     .axis = "features",
                     .expected = options.features,
                     .got = x.size,
                     .source = x.path,
                     .fix = ir::sentence("write features<")
                                .append(x.size)
                                .append(">, or mend '")
                                .append(x.path.view())
                                .append("'")});
    return b.apply(ir::tracer_of<detail::affine<Out, options.bias>>, ir::sizes{x.size}, {}, in, {},
                   {ir::initial::uniform, detail::inverse_sqrt(x.size)});
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
