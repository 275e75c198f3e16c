// lanes: a loop that runs many steps at once, if each of them sees an inner axis whole.
//
// The values of each step with each inner step (scores, weights, their adjoints) are stored side by side for a block of
// steps: there is a row for each inner step, and feature f of step t is number f * lanes + t of the row. So a softmax,
// a maximum and all arithmetic run on whole rows. Dot products and weighted sums are matrix products (pair_dot,
// pair_sum), of three kinds that are closed under reverse mode:
//   pair_dot:                  d[t, s] = a[t] . b[s]
//   pair_sum over the inner:   y[t] = sum_s w[t, s] v[s]
//   pair_sum over time:        y[s] = sum_t w[t, s] v[t]
// A value that varies only along the steps is copied into lanes (to_lanes) when it is combined with such values. The
// loop runs one sequence after the other, so that a block stays in the cache, and each sequence up to its own length.
#pragma once

#include "tenon/equation/rewrite.hpp"

namespace tenon::inline v0_1::ir {

constexpr bool has_pairs(const program_view& p) {
  for (const instruction& i : p.code)
    if (i.code == opcode::pair_dot || i.code == opcode::pair_sum) return true;
  return false;
}

namespace detail {

// Which values are in lanes, and whether everything that reads them can be computed in lanes.
struct lane_plan {
  program_view p;
  domain domains[max_instructions]{};
  bool in_lanes[max_instructions]{};
  bool comes_behind[max_instructions]{};  // weighted sums, and values computed from them
  int groups[max_instructions]{};         // in lanes: its features, or those of values combined with it
  bool possible = true;

  constexpr explicit lane_plan(const program_view& source) : p(source) {
    for (int k = 0; k < p.code.size; ++k) {
      domains[k] = domain_of(p.varies, p.code[k], domains);
      visit(k);
    }
    for (int o : p.outputs) possible = possible && !in_lanes[o];
    for (int k = p.code.size - 1; k >= 0; --k)
      if (in_lanes[k] && is_elementwise(p.code[k].code)) widen_operands(k);
    for (int k = 0; k < p.code.size; ++k)
      for_operands(p.code[k], [&](int o) {
        const bool is_sum = p.code[k].code == opcode::pair_sum;
        possible = possible && (!in_lanes[o] || groups[o] == (is_sum ? p.code[o].size : groups[k]));
      });
  }
  // Does the value vary only along the steps? Then it is copied into lanes when it is combined with values there.
  constexpr bool moves(int o) const { return !in_lanes[o] && domains[o] == domain::rows; }

 private:
  constexpr void visit(int k) {
    const instruction& i = p.code[k];
    bool reads = false, waits = false, all = true;
    for_operands(i, [&](int o) {
      reads = reads || in_lanes[o];
      waits = waits || comes_behind[o];
      all = all && in_lanes[o];
    });
    groups[k] = i.size;
    comes_behind[k] = waits || i.code == opcode::pair_sum;
    if (i.code == opcode::pair_dot) {
      in_lanes[k] = true;
      return require(!reads && !waits);
    }
    if (i.code == opcode::pair_sum) return require(in_lanes[i.a] && !in_lanes[i.b] && !comes_behind[i.b]);
    in_lanes[k] = reads || domains[k] == domain::both;
    if (!in_lanes[k]) return;
    const bool is_reduction =
        i.code == opcode::axis_sum || i.code == opcode::axis_max || i.code == opcode::axis_softmax;
    const bool is_inside = is_reduction && axis_of(i) == dimension::inner;
    if (is_inside || i.code == opcode::slice || i.code == opcode::concat) return require(all && !waits);
    require(is_elementwise(i.code) && !waits);
    for_operands(i, [&](int o) { require(in_lanes[o] || moves(o) || p.code[o].size == 1); });
  }
  constexpr void require(bool holds) { possible = possible && holds; }
  // One number for each step, combined with one for each group of features, is widened to one for each group.
  constexpr void widen_operands(int k) {
    for_operands(p.code[k], [&](int o) {
      if (in_lanes[o] && groups[o] == 1 && is_elementwise(p.code[o].code)) groups[o] = groups[k];
    });
  }
};

constexpr program in_lanes(const lane_plan& plan, int lanes) {
  const program_view& p = plan.p;
  tape t;
  rewriter copy(p, t);
  for (int k = 0; k < p.code.size; ++k) {
    instruction i = p.code[k];
    if (plan.in_lanes[k]) {
      i.size = plan.groups[k] * lanes;
      if (i.code == opcode::slice) i.first *= lanes;
    }
    const auto moved = [&](short& o) {
      if (o < 0) return;
      const int from = o;
      o = static_cast<short>(copy.place[from]);
      if (plan.in_lanes[k] && i.code != opcode::pair_dot && plan.moves(from))
        o = static_cast<short>(t.emit({.code = opcode::to_lanes,
                                       .a = o,
                                       .count = static_cast<short>(plan.groups[k]),
                                       .size = plan.groups[k] * lanes}));
    };
    for (short* o : {&i.a, &i.b, &i.c}) moved(*o);
    copy.place[k] = p.effects.find(k) >= 0 ? t.add(i) : t.emit(i);
  }
  return eliminate_dead_code(copy.finish());
}

}  // namespace detail

// The same program without these operations: they become sums of products, over features or over an axis.
constexpr program without_pairs(const program_view& p) {
  if (!has_pairs(p)) return p;
  tape t;
  rewriter copy(p, t);
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    if (i.code != opcode::pair_dot && i.code != opcode::pair_sum) {
      if (p.effects.find(k) >= 0) copy.copy_statement(k);
      else copy.copy(k);
      continue;
    }
    const int a = copy.place[i.a], b = copy.place[i.b];
    const int size_of_a = t.size(a) / i.count, size_of_b = t.size(b) / i.count;
    int all = -1;
    for (int g = 0; g < i.count; ++g) {
      const int product = t.emit(opcode::multiply, t.slice(a, g * size_of_a, size_of_a),
                                 t.slice(b, g * size_of_b, size_of_b));
      const int one = i.code == opcode::pair_dot ? t.emit(opcode::row_sum, product)
                                                 : t.over_axis(opcode::axis_sum, product, axis_of(i));
      all = all < 0 ? one : t.emit(opcode::concat, all, one);
    }
    copy.place[k] = all;
  }
  return eliminate_dead_code(copy.finish());
}

// The same program for `lanes` steps at once, if that is possible; 0: for one step.
constexpr program with_lanes(const program_view& p, int lanes) {
  if (!has_pairs(p)) return p;
  if (lanes > 0) {
    const detail::lane_plan plan(p);
    if (plan.possible) return detail::in_lanes(plan, lanes);
  }
  return without_pairs(p);
}

}  // namespace tenon::inline v0_1::ir
