// chain<A, B, C>: layers one after the other; the parts are named 0, 1, 2, as in PyTorch's Sequential.
// residual<A, B, ...>: x + chain<A, B, ...>(x).
#pragma once

#include "tenon/graph/layer.hpp"

namespace tenon::inline v0_1::nn {

template <class... Parts>
struct chain {
  static constexpr int build(builder& b, const edges& in) {
    if (sizeof...(Parts) == 0)
      return b.fail({.rule = "a chain has no layer", .fix = "write chain<linear<8>, dropout<0.1>>"});
    edges flowing = in;
    [[maybe_unused]] int k = 0;
    [[maybe_unused]] const auto link = [&]<class Part>() {
      if (!b.ok()) return;
      ir::name index;
      index.append(k++);
      flowing = {b.within(index.view(), [&] { return ir::build<Part>(b, flowing); })};
      if (k == 1 && in.size > 1 && b.wrong.axis == "sources" && b.wrong.got > b.wrong.expected)
        b.wrong.fix = "all sources of a chain go to its first layer; give the layer that takes them a node";
    };
    (link.template operator()<Parts>(), ...);
    return b.ok() ? flowing[0] : -1;
  }
};

struct add {
  static constexpr auto at(auto x, auto y) { return x + y; }
};

template <class... Parts>
struct residual {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "residual", "name one source")) return -1;
    const int inner = chain<Parts...>::build(b, in);
    if (!b.ok()) return -1;
    const ir::edge &x = b[in[0]], &y = b[inner];
    if (x.size != y.size)
      return b.fail({.rule = "residual adds its input to its output:",
                     .axis = "features",
                     .expected = x.size,
                     .got = y.size,
                     .fix = "the last layer inside must have the width of the input"});
    if (x.axis != y.axis)
      return b.fail({.rule = "residual adds its input to its output: only one of them is a sequence",
                     .fix = "keep the time axis inside"});
    return ir::build<add>(b, edges{in[0], inner});
  }
};

}  // namespace tenon::inline v0_1::nn
