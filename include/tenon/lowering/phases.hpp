// phases: which values of a time loop are computed before it, in it, and after it.
//
// Values that do not depend on carried values (W x) are computed before the loop, for all time steps at once. Values
// that the carried values do not need (weight gradients, dL/dx) are computed after it, again for all steps at once.
// Values that vary along time and the inner axis stay in the loop, one time step at a time. Values without time are
// computed once, before the loop; if each step is a run of its own, they have a phase of their own, which runs once for
// all steps. A loop that runs many steps at once (lanes.hpp) contains only these: its operands are computed before it,
// and its weighted sums are read after it.
#pragma once

#include "tenon/lowering/lanes.hpp"

namespace tenon::inline v0_1::ir {

enum class phase : unsigned char { none, once, before, loop, after };

struct carried_pair {
  int input = 0, output = 0;
};
using carried_pairs = list<carried_pair, max_sources>;

namespace detail {

// The phase of each instruction.
struct phases {
  phase of[max_instructions]{};
  constexpr phase& operator[](int k) { return of[k]; }
  constexpr phase operator[](int k) const { return of[k]; }
};

constexpr bool has_loop(const program_view& p, const domain* domains, const carried_pairs& carried) {
  for (int k = 0; k < p.code.size; ++k)
    if (domains[k] == domain::both) return true;
  return !carried.empty();
}

struct dependence {
  bool depends[max_instructions]{};  // on what a step of the loop computes
  bool needed[max_instructions]{};   // by a step of the loop

  constexpr dependence(const program_view& p, const domain* domains, const carried_pairs& carried) {
    const int size = p.code.size;
    for (int k = 0; k < size; ++k) {
      if (p.code[k].code == opcode::input)
        for (const carried_pair& c : carried) depends[k] = depends[k] || c.input == p.code[k].first;
      for_operands(p.code[k], [&](int o) {
        depends[k] = depends[k] || depends[o];
        needed[k] = needed[k] || domains[o] == domain::both;
      });
      if (domains[k] == domain::both) depends[k] = needed[k] = true;
    }
    for (const carried_pair& c : carried) needed[p.outputs[c.output]] = true;
    for (int k = size - 1; k >= 0; --k)
      if (needed[k]) for_operands(p.code[k], [&](int o) { needed[o] = true; });
  }
};

// A value that a step of the loop needs, but that is known only after all steps; -1: none.
constexpr int waits_for_itself(const program_view& p, const carried_pairs& carried) {
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  const dependence found(p, domains, carried);
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    const bool takes_all = i.code == opcode::turn || (is_over_axis(i.code) && axis_of(i) == dimension::time);
    if (!takes_all || !found.depends[i.a]) continue;
    for (int u = k + 1; u < p.code.size; ++u) {
      bool reads = false;
      for_operands(p.code[u], [&](int o) { reads = reads || o == k; });
      if (reads && found.needed[u]) return k;
    }
    for (const carried_pair& c : carried)
      if (p.outputs[c.output] == k) return k;
  }
  return -1;
}

// A loop of no more than `loop_weights` weights keeps the products of its inputs: while a step waits for its state,
// they cost little.
constexpr phases phases_of(const program_view& p, const domain* domains, const carried_pairs& carried,
                           long loop_weights) {
  const int size = p.code.size;
  phases when{};
  if (!has_loop(p, domains, carried)) {
    for (int k = 0; k < size; ++k) when[k] = phase::before;
    return when;
  }
  const dependence found(p, domains, carried);
  const bool in_lanes = has_pairs(p);
  const auto &depends = found.depends, &needed = found.needed;
  for (int k = 0; k < size; ++k)
    if (depends[k]) {
      bool late = (is_heavy(p.code[k].code) || p.code[k].code == opcode::turn) && !needed[k];
      for_operands(p.code[k], [&](int o) {
        late = late || when[o] == phase::after || adds_up_in_loop(p.code[o], domains) ||
               p.code[o].code == opcode::pair_sum;
      });
      when[k] = late ? phase::after : phase::loop;
    }
  long weights = 0;
  for (int k = 0; k < size; ++k)
    if (p.code[k].code == opcode::matmul && domains[k] == domain::rows && when[k] != phase::after)
      weights += long(p.code[k].size) * p.code[p.code[k].a].size;
  const bool keeps_products = weights <= loop_weights;
  for (int k = size - 1; k >= 0; --k) {  // users first
    if (depends[k]) continue;
    bool feeds_before = false, in_loop = false, used = false;
    for (int u = k + 1; u < size; ++u)
      for_operands(p.code[u], [&](int o) {
        if (o != k) return;
        used = true;
        feeds_before = feeds_before || when[u] == phase::before;
        in_loop = in_loop || when[u] == phase::loop;
      });
    const opcode code = p.code[k].code;
    if (in_lanes && in_loop) {
      when[k] = code == opcode::to_lanes ? phase::loop : phase::before;
      continue;
    }
    const bool stays = keeps_products && code == opcode::matmul && domains[k] == domain::rows && in_loop;
    const bool is_once = domains[k] == domain::batch || domains[k] == domain::inner;
    if (feeds_before || (is_heavy(code) && !stays) || (is_once && in_loop)) when[k] = phase::before;
    else when[k] = in_loop || !used ? phase::loop : phase::after;
  }
  return when;
}

// Values without time, and values of parameters only that they need, are computed once. Results and their parts are
// not, because each step has memory of its own for them.
constexpr void move_before_steps(phases& when, const program_view& p, const domain* domains) {
  bool may[max_instructions]{}, needed[max_instructions]{};
  bool grows = false;  // does the inner axis grow by a step at each step?
  for (const instruction& i : p.code) grows = grows || i.code == opcode::keep;
  for (int k = 0; k < p.code.size; ++k) {
    may[k] = !has_axis(domains[k], dimension::time) && p.outputs.find(k) < 0 &&
             !(grows && has_axis(domains[k], dimension::inner));
    for_operands(p.code[k], [&](int o) { may[k] = may[k] && (may[o] || is_leaf(p.code[o].code)); });
  }
  for (int k = p.code.size - 1; k >= 0; --k)
    if (p.code[k].code == opcode::concat && !may[k]) may[p.code[k].a] = may[p.code[k].b] = false;
  for (int k = 0; k < p.code.size; ++k)  // excludes what reads a value that was just excluded
    for_operands(p.code[k], [&](int o) { may[k] = may[k] && (may[o] || is_leaf(p.code[o].code)); });
  for (int k = p.code.size - 1; k >= 0; --k) {
    if (!may[k] || is_leaf(p.code[k].code) || (domains[k] == domain::free && !needed[k])) continue;
    when[k] = phase::once;
    for_operands(p.code[k], [&](int o) { needed[o] = true; });
  }
}

}  // namespace detail

}  // namespace tenon::inline v0_1::ir
