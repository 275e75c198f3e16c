// phases: what of a time loop is computed before it, in it, and after it.
//
// Before the loop, for all time steps at once, comes what does not depend on what is carried (W x); after it,
// again for all steps at once, what the carried values do not need (weight gradients, dL/dx). What varies along time
// and along the inner axis stays in the loop, one time step at a time; what lacks time is computed once, before it.
// Where steps are taken one by one, in a run each, that is a phase of its own, once for all of them.
// A loop that takes many steps at once (lanes.hpp) holds nothing but that: what feeds it comes before, what a weighted sum
// gives is read behind it.
#pragma once

#include "tenon/lowering/lanes.hpp"

namespace tenon::ir {

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
      if (p.code[k].code == op::input)
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

// A value that a step of the loop needs, and that is known when all steps are done; -1: none.
constexpr int waits_for_itself(const program_view& p, const carried_pairs& carried) {
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  const dependence found(p, domains, carried);
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    const bool takes_all = i.code == op::turn || (is_over_axis(i.code) && axis_of(i) == dimension::time);
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

// A loop of no more than `loop_weights` weights keeps the products of its inputs: a step waits for its state, and
// meanwhile they cost little.
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
      bool late = (is_heavy(p.code[k].code) || p.code[k].code == op::turn) && !needed[k];
      for_operands(p.code[k], [&](int o) {
        late = late || when[o] == phase::after || adds_up_in_loop(p.code[o], domains) ||
               p.code[o].code == op::pair_sum;
      });
      when[k] = late ? phase::after : phase::loop;
    }
  long weights = 0;
  for (int k = 0; k < size; ++k)
    if (p.code[k].code == op::contract && domains[k] == domain::rows && when[k] != phase::after)
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
    const op code = p.code[k].code;
    if (in_lanes && in_loop) {
      when[k] = code == op::to_lanes ? phase::loop : phase::before;
      continue;
    }
    const bool stays = keeps_products && code == op::contract && domains[k] == domain::rows && in_loop;
    const bool is_once = domains[k] == domain::batch || domains[k] == domain::inner;
    if (feeds_before || (is_heavy(code) && !stays) || (is_once && in_loop)) when[k] = phase::before;
    else when[k] = in_loop || !used ? phase::loop : phase::after;
  }
  return when;
}

// What lacks time, and what only parameters make for that, is computed once. Results and their parts are not: they are in memory
// that each step has for itself.
constexpr void move_before_steps(phases& when, const program_view& p, const domain* domains) {
  bool may[max_instructions]{}, needed[max_instructions]{};
  bool grows = false;  // the inner axis, by a step at each step
  for (const instruction& i : p.code) grows = grows || i.code == op::keep;
  for (int k = 0; k < p.code.size; ++k) {
    may[k] = !has_axis(domains[k], dimension::time) && p.outputs.find(k) < 0 &&
             !(grows && has_axis(domains[k], dimension::inner));
    for_operands(p.code[k], [&](int o) { may[k] = may[k] && (may[o] || is_leaf(p.code[o].code)); });
  }
  for (int k = p.code.size - 1; k >= 0; --k)
    if (p.code[k].code == op::concat && !may[k]) may[p.code[k].a] = may[p.code[k].b] = false;
  for (int k = 0; k < p.code.size; ++k)  // without what was just taken from them
    for_operands(p.code[k], [&](int o) { may[k] = may[k] && (may[o] || is_leaf(p.code[o].code)); });
  for (int k = p.code.size - 1; k >= 0; --k) {
    if (!may[k] || is_leaf(p.code[k].code) || (domains[k] == domain::free && !needed[k])) continue;
    when[k] = phase::once;
    for_operands(p.code[k], [&](int o) { needed[o] = true; });
  }
}

}  // namespace detail

}  // namespace tenon::ir
