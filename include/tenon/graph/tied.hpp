// tied<"embedded.weight", "logits.weight">: an entry of a graph that makes two parameters one.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/graph/builder.hpp"

namespace tenon::inline v0_1 {

// Parameter `Other` is parameter `Name`: one storage, one gradient.  tied<"embedded.weight", "logits.weight">
// With a `*` in both names, every parameter that matches the first is tied to the one whose name has the same text in
// place of the `*` of the second: tied<"left.*", "right.*"> ties two nodes of one graph type.
template <ir::text Name, ir::text Other>
struct tied {
  static constexpr bool is_tie = true;
  static constexpr void build(builder& b, const ir::name& scope) {
    const ir::name first = ir::detail::join(scope, Name.view()),
                   second = ir::detail::join(scope, Other.view());
    const std::size_t star = first.view().find("*"), other_star = second.view().find("*");
    if ((star == ir::characters::npos) != (other_star == ir::characters::npos)) {
      b.fail({.rule = ir::sentence("tied: of '")
                          .append(Name.view())
                          .append("' and '")
                          .append(Other.view())
                          .append("' one has a '*'"),
              .fix = "write it in both: tied<\"left.*\", \"right.*\">"});
    } else if (star == ir::characters::npos) {
      tie(b, first, second);
    } else if (first.view().find("*", star + 1) != ir::characters::npos) {
      b.fail({.rule = ir::sentence("tied: '").append(Name.view()).append("' has more than one '*'"),
              .fix = "write two ties"});
    } else {
      const ir::characters before = first.view().substr(0, star), after = first.view().substr(star + 1);
      bool fits_any = false;
      for (int p = 0; p < b.net.parameters.size && b.ok(); ++p) {
        const ir::name path = b.net.parameters[p].path;
        const ir::characters whole = path.view();
        if (whole.size() < before.size() + after.size() || !whole.starts_with(before) ||
            whole.substr(whole.size() - after.size()) != after)
          continue;
        fits_any = true;
        ir::name partner = second.view().substr(0, other_star);
        partner.append(whole.substr(before.size(), whole.size() - before.size() - after.size()))
            .append(second.view().substr(other_star + 1));
        tie(b, path, partner);
      }
      if (!fits_any && b.ok()) fail_unknown(b, first);
    }
  }

 private:
  static constexpr void fail_unknown(builder& b, const ir::name& unknown) {
    ir::nearest known(unknown);
    for (const ir::parameter& p : b.net.parameters) known.consider(p.path);
    b.fail({.rule = ir::sentence("tied: no parameter is named '").append(unknown.view()).append("'"),
            .fix = known.suggestion("parameters are named node.weight, and stand above it")});
  }
  static constexpr void tie(builder& b, const ir::name& one, const ir::name& another) {
    const auto owner = [&](const ir::name& path) {
      const int p = b.net.find_parameter(path);
      return p < 0 || b.net.parameters[p].tied_to < 0 ? p : b.net.parameters[p].tied_to;
    };
    const int first = owner(one), second = owner(another);
    if (first < 0 || second < 0) return fail_unknown(b, first < 0 ? one : another);
    if (one == another)
      b.fail({.rule = ir::sentence("tied: '").append(one.view()).append("' is tied to itself"),
              .fix = "name the two parameters that are one"});
    if (first == second) return;
    const ir::parameter &p = b.net.parameters[first], &q = b.net.parameters[second];
    const auto differ = [&](const char* axis, int expected, int got) {
      b.fail({.rule = "tied parameters differ:",
              .axis = axis,
              .expected = expected,
              .got = got,
              .where = one,
              .source = q.path,
              .fix = "tied parameters have one shape"});
    };
    if (p.rows != q.rows) differ("rows", p.rows, q.rows);
    if (p.columns != q.columns) differ("columns", p.columns, q.columns);
    for (int k = 0; k < b.net.parameters.size; ++k)  // tie all to the owner of the storage
      if (k == second || b.net.parameters[k].tied_to == second) b.net.parameters[k].tied_to = first;
  }
};

}  // namespace tenon::inline v0_1
