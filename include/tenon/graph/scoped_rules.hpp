// scoped_rules: options for parameters: how they start, and whether they are frozen. Each applies to the parameters of
// one layer and of all layers inside it.
#pragma once

#include "tenon/graph/initializer.hpp"
#include "tenon/graph/parameter_start.hpp"
#include "tenon/meta/pattern.hpp"

namespace tenon::inline v0_1::ir {

class scoped_rules {
 public:
  static constexpr int capacity = 64 * room_of_graphs;

  constexpr int size() const { return all_.size; }
  constexpr void add(const name& scope, const parameter_rule& rule) { all_.add({scope, rule}); }

  // Applies rules of outer layers after those of inner ones, so that the outer rule wins. Returns the first problem.
  template <class Parameters>
  constexpr problem apply(Parameters& parameters) const {
    for (int n = all_.size - 1; n >= 0; --n)
      if (const problem p = apply_one(all_[n], parameters)) return p;
    return {};
  }

 private:
  struct scoped_rule {
    name scope{};
    parameter_rule rule{};
  };
  list<scoped_rule, capacity> all_{};

  template <class Parameters>
  static constexpr problem apply_one(const scoped_rule& mine, Parameters& parameters) {
    const std::size_t below = mine.scope.empty() ? 0 : mine.scope.view().size() + 1;
    bool is_used = false;
    nearest known{name(mine.rule.pattern)};
    for (parameter& p : parameters) {
      const characters whole = p.path.view();
      if (whole.size() <= below || !whole.starts_with(mine.scope.view()) ||
          (below > 0 && whole[below - 1] != '.'))
        continue;
      known.consider(whole.substr(below));
      if (!matches(mine.rule.pattern, whole.substr(below))) continue;
      is_used = true;
      p.frozen = p.frozen || mine.rule.freezes;
      if (!mine.rule.starts) continue;
      p.start = mine.rule.start;
      p.apart = {};
      if (const problem mistake = unfit_initializer(p)) return mistake;
    }
    if (is_used) return {};
    return {.rule = sentence("no parameter of the layer is named '").append(mine.rule.pattern).append("'"),
            .where = mine.scope,
            .fix = known.suggestion("a pattern is a name below the layer's, `*` stands for any characters")};
  }
};

}  // namespace tenon::inline v0_1::ir
