// problem: what is wrong with an equation or a graph, found by a constexpr check, as four answers:
// what rule is broken, where, expected against got, and how to mend it. `explain` makes one sentence of them.
#pragma once

#include "tenon/meta/text.hpp"

namespace tenon {

struct problem {
  sentence rule{};  // empty: nothing is wrong.  "linear expects", "sizes of '+' differ:"
  label axis{};     // features, tokens, time, inputs ...; empty where no two sizes are compared
  int expected = 0;
  int got = 0;
  name where{};   // the node's path
  name source{};  // the node or symbol that delivers what was got
  sentence fix{};

  constexpr explicit operator bool() const { return !rule.empty(); }
  constexpr bool operator==(const problem&) const = default;
};

using explanation = basic_name<447>;

// node 'logits': linear expects 64 features, got 128 from 'context'; write linear<128, 10>, or mend 'context'
constexpr explanation explain(const problem& p) {
  explanation s;
  if (!p.where.empty()) s.append("node '").append(p.where.view()).append("': ");
  s.append(p.rule.view());
  if (!p.axis.empty()) {
    const int letters =
        p.axis.size - (p.expected == 1 && p.axis.view().ends_with('s') ? 1 : 0);  // 2 states, 1 state
    s.append(" ")
        .append(p.expected)
        .append(" ")
        .append(p.axis.view().substr(0, static_cast<std::size_t>(letters)));
    s.append(", got ").append(p.got);
  }
  if (!p.source.empty()) s.append(" from '").append(p.source.view()).append("'");
  if (!p.fix.empty()) s.append("; ").append(p.fix.view());
  return s;
}

}  // namespace tenon
