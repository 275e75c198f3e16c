// Losses: what a training plan minimises. Each adds its target as an input of the network and returns the
// loss edge.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

namespace detail {
// What an edge is made of, as the language writes it: the operation's program and its result.
struct written {
  const program* equations = nullptr;
  int result = -1;

  constexpr const instruction& operator[](int k) const { return equations->code[k]; }
  constexpr bool is(int k, op code) const { return (*this)[k].code == code; }
  // e / sum(e), e an exp
  constexpr bool is_softmax(int k) const {
    const instruction& i = (*this)[k];
    return is(k, op::divide) && is(i.a, op::exp) && is(i.b, op::row_sum) && (*this)[i.b].a == i.a;
  }
  // x - log(sum(exp(x))), or the log of a softmax
  constexpr bool is_log_softmax(int k) const {
    const instruction& i = (*this)[k];
    if (is(k, op::log)) return is_softmax(i.a);
    if (!is(k, op::subtract) || !is(i.b, op::log)) return false;
    const int sum = (*this)[i.b].a;
    return is(sum, op::row_sum) && is((*this)[sum].a, op::exp) && (*this)[(*this)[sum].a].a == i.a;
  }
};
// Dropout in between changes no kind.
constexpr written find_written(const builder& b, int e) {
  for (const operation& o : b.net.operations) {
    if (o.out[0] != e) continue;
    if (o.what == work::dropout) return find_written(b, o.in[0]);
    if (o.what == work::apply) return {&b.net.programs[o.program], b.net.programs[o.program].outputs[0]};
  }
  return {};
}
}  // namespace detail

// Mean over rows of -log softmax(logits)[target] (log-sum-exp form). Targets are tokens, one for each row of
// the logits; a target of -1 is left out of the mean.
template <ir::text Logits>
struct cross_entropy {
  static constexpr int build(builder& b) {
    const int logits = b.find_output(Logits);
    return b.within("loss", [&] {
      if (logits < 0)
        return b.fail({.rule = ir::sentence("cross_entropy: no entry of the graph is named '")
                                   .append(Logits.view())
                                   .append("'"),
                       .fix = b.suggest({}, Logits.view(), "name the node of the logits")});
      if (!b.require_numbers(logits, "cross_entropy")) return -1;
      const detail::written from = detail::find_written(b, logits);
      if (from.result >= 0 && from.is_softmax(from.result))
        return b.fail({.rule = "cross_entropy expects logits, got probabilities",
                       .source = b[logits].path,
                       .fix = "name what enters the softmax"});
      if (from.result >= 0 && from.is_log_softmax(from.result))
        return b.fail({.rule = "cross_entropy expects logits, got log-probabilities",
                       .source = b[logits].path,
                       .fix = "name what enters the log_softmax: the loss takes it itself"});
      if (b[logits].size < 2)
        return b.fail({.rule = "cross_entropy expects at least",
                       .axis = "features",
                       .expected = 2,
                       .got = b[logits].size,
                       .source = b[logits].path,
                       .fix = "end the node in linear<classes>"});
      for (int i : b.net.inputs)
        if (b[i].path == ir::name("target"))
          return b.fail({.rule = "cross_entropy adds an input named 'target', and the graph has one",
                         .fix = "rename the graph's own"});
      const int target = b.add_edge({.path = "target", .range = b[logits].size, .axis = b[logits].axis});
      b.add_input(target);
      const int loss = b.add_edge({.size = 1});
      b.add_operation({.what = ir::work::cross_entropy, .in = {logits, target}, .out = {loss}});
      return loss;
    });
  }
};

}  // namespace tenon
