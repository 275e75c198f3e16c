// Losses: what a training plan minimises. Each adds its target as an input of the network and returns the
// loss edge.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

// Mean over rows of -log softmax(logits)[target] (log-sum-exp form). Targets are tokens, one for each row of
// the logits; a target of -1 is left out of the mean.
template <text Logits>
struct cross_entropy {
  static constexpr int build(builder& b) {
    const int logits = b.find_output(Logits);
    return b.within("loss", [&] {
      if (logits < 0)
        return b.fail({.rule = sentence("cross_entropy: no entry of the graph is named '")
                                   .append(Logits.view())
                                   .append("'"),
                       .fix = b.suggest(Logits, "name the node of the logits")});
      if (!b.require_numbers(logits, "cross_entropy")) return -1;
      const int target = b.add_edge({.path = "target", .range = b[logits].size, .axis = b[logits].axis});
      b.net.inputs.add(target);
      const int loss = b.add_edge({.size = 1});
      b.add_operation({.what = work::cross_entropy, .in = {logits, target}, .out = {loss}});
      return loss;
    });
  }
};

}  // namespace tenon
