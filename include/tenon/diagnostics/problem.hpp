// problem: what is wrong with an equation or a graph, found by a constexpr check, as four answers: what rule is broken,
// where, expected against got, and how to mend it. `explain` makes one sentence of them.
#pragma once

#include "tenon/meta/text.hpp"

namespace tenon::inline v0_1::ir {

struct problem {
  sentence rule{};  // empty: nothing is wrong.  "linear expects", "sizes of '+' differ:"
  label axis{};     // features, tokens, time, inputs ...; empty if no sizes are compared
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

// The known word nearest to the given one; none if none is close.
class nearest {
 public:
  // Every word is near to one of one or two letters: for these it suggests nothing.
  constexpr explicit nearest(const name& wanted)
      : wanted_(wanted), least_(wanted.size <= 2 ? 0 : wanted.size / 3 + 2) {}
  constexpr void consider(const name& known) {
    if (known.size <= 2) return;
    if (const int d = edit_distance(known.view(), wanted_.view()); d < least_) {
      least_ = d;
      best_ = known;
    }
  }
  constexpr const name& word() const { return best_; }
  constexpr sentence suggestion(const sentence& otherwise) const {
    return best_.empty() ? otherwise : sentence("did you mean '").append(best_.view()).append("'?");
  }

  // Levenshtein 1966, of at most name::capacity characters.
  static constexpr int edit_distance(characters a, characters b) {
    int row[name::capacity + 2]{};
    const int n = static_cast<int>(b.size());
    for (int j = 0; j <= n; ++j) row[j] = j;
    for (int i = 1; i <= static_cast<int>(a.size()); ++i) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= n; ++j) {
        const int change =
            diagonal + (a[static_cast<unsigned>(i - 1)] == b[static_cast<unsigned>(j - 1)] ? 0 : 1);
        diagonal = row[j];
        const int shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
        row[j] = change < shorter ? change : shorter;
      }
    }
    return row[n];
  }

 private:
  name wanted_, best_{};
  int least_;
};

}  // namespace tenon::inline v0_1::ir
