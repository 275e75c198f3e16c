// dropout<rate>: in training, each element is zero with probability `rate`, the others are scaled by 1 / (1 -
// rate); in inference it is the identity (Srivastava et al. 2014).
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

template <auto Rate>  // auto, so that dropout<1> is refused in words
struct dropout {
  static constexpr double rate = static_cast<double>(Rate);

  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "dropout", "name one source")) return -1;
    if (!(rate >= 0 && rate < 1))
      return b.fail({.rule = "dropout<rate> needs a rate from 0 to below 1",
                     .fix = "write the share of zeros: dropout<0.5>"});
    if (!b.require_numbers(in[0], "dropout")) return -1;
    ir::edge like = b[in[0]];
    like.path = b.here(), like.whole = -1, like.column = 0, like.slab = 0;
    const int out = b.add_edge(like);
    b.add_operation({.what = ir::work::dropout, .in = in, .out = {out}, .rate = rate});
    return out;
  }
};

}  // namespace tenon
