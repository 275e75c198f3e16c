// Losses: what a training plan minimises. Each adds its target as an input of the network and returns the
// loss edge.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

namespace detail {
// Is this edge the softmax of something, as the language writes it: e / sum(e), e an exp?
constexpr bool is_softmax(const builder& b, int e) {
  for (const operation& o : b.net.operations) {
    if (o.what != work::apply || o.out[0] != e) continue;
    const program& p = b.net.programs[o.program];
    const instruction& last = p.code[p.outputs[0]];
    return last.code == op::divide && p.code[last.a].code == op::exp &&
           p.code[last.b].code == op::row_sum && p.code[last.b].a == last.a;
  }
  return false;
}
}  // namespace detail

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
      if (detail::is_softmax(b, logits))
        return b.fail({.rule = "cross_entropy expects logits, got probabilities",
                       .source = b[logits].path,
                       .fix = "name what enters the softmax"});
      for (int i : b.net.inputs)
        if (b[i].path == name("target"))
          return b.fail({.rule = "cross_entropy adds an input named 'target', and the graph has one",
                         .fix = "rename the graph's own"});
      const int target = b.add_edge({.path = "target", .range = b[logits].size, .axis = b[logits].axis});
      b.net.inputs.add(target);
      const int loss = b.add_edge({.size = 1});
      b.add_operation({.what = work::cross_entropy, .in = {logits, target}, .out = {loss}});
      return loss;
    });
  }
};

}  // namespace tenon
