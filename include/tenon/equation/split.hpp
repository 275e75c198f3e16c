// split: cuts a differentiated program into a forward and a backward program, and decides which forward values are
// saved for the backward one and which it computes again.
#pragma once

#include "tenon/equation/reverse.hpp"
#include "tenon/program/primitives.hpp"

namespace tenon::inline v0_1::ir {

// Forward outputs: the outputs, then what is saved.  Backward inputs: the inputs, the output adjoints, then what is
// saved.
template <class Lists>
struct basic_gradient_pair {
  basic_program<Lists> forward{};
  basic_program<Lists> backward{};
  typename Lists::template list<int, max_program_outputs>
      saved{};  // which forward output the s-th saved input of `backward` is

  constexpr int longest() const { return longest_of({forward.longest(), backward.longest(), saved.size}); }
  template <class Other>
  constexpr operator basic_gradient_pair<Other>() const {
    return {forward, backward, saved};
  }
};
using gradient_pair = basic_gradient_pair<growing>;
using gradient_pair_view = basic_gradient_pair<viewed>;

namespace detail {

// Up to this many additions are cheaper to repeat than to store and load (measured in the cost of
// primitive<>).
inline constexpr int recompute_limit = 2;

struct cut {
  const differentiated& d;
  bool used[max_instructions]{};  // read by the backward part
  bool saved[max_instructions]{};
  domain domains[max_instructions]{};

  constexpr explicit cut(const differentiated& whole) : d(whole) {
    const program_view& p = d.joint;
    for (int k = 0; k < p.code.size && !p.varies.empty(); ++k)
      domains[k] = domain_of(p.varies, p.code[k], domains);
    program backward_only = p;
    backward_only.outputs = {};
    for (int o = d.outputs; o < p.outputs.size; ++o) backward_only.outputs.add(p.outputs[o]);
    const liveness live = find_live(backward_only);
    for (int k = d.forward_size; k < p.code.size; ++k)
      if (live.alive[k]) for_operands(p.code[k], [&](int o) { used[o] = used[o] || o < d.forward_size; });
    for (int o = d.outputs; o < p.outputs.size; ++o)
      if (p.outputs[o] < d.forward_size) used[p.outputs[o]] = true;
    for (int o = 0; o < d.outputs; ++o) saved[p.outputs[o]] = true;  // available whether or not it is used
    if (!p.varies.empty()) read_for_again(true);
    for (int k = 0; k < d.forward_size; ++k)
      if (used[k] && !saved[k] && cost_again(k) > recompute_limit) saved[k] = true;
    read_for_again(false);
  }
  // Marks the operands of recomputed values as used: of all such values, or only of those with both axes.
  constexpr void read_for_again(bool with_both_axes) {
    for (int k = d.forward_size - 1; k >= 0; --k)
      if (used[k] && (with_both_axes ? domains[k] == domain::both : !saved[k]))
        for_operands(d.joint.code[k], [&](int o) { used[o] = true; });
  }
  constexpr int cost_again(int k) const {
    const instruction& i = d.joint.code[k];
    if (saved[k] || i.code == opcode::input || i.code == opcode::constant || i.code == opcode::vector)
      return 0;
    // One step of the loop has a row for each inner step; for all steps there would be the product of both lengths.
    if (domains[k] == domain::both) return 0;
    const bool moves = i.code == opcode::slice || i.code == opcode::concat;
    if (!moves && !is_elementwise(i.code)) return recompute_limit + 1;
    int total = i.code == opcode::slice ? 0 : i.code == opcode::concat ? 1 : cost(i.code);
    for_operands(i, [&](int o) { total += total > recompute_limit ? 0 : cost_again(o); });
    return total;
  }
};

}  // namespace detail

constexpr gradient_pair split(const differentiated& d) {
  const program_view& p = d.joint;
  const detail::cut decided(d);
  gradient_pair result;

  program forward = p;
  forward.code.size = d.forward_size;
  forward.inputs.size = d.inputs;
  if (forward.varies.size > d.inputs) forward.varies.size = d.inputs;
  forward.outputs.size = d.outputs;
  forward.effects = {};

  tape t;
  rewriter copy(p, t);
  for (int k = 0; k < d.forward_size; ++k) {
    if (!decided.saved[k] || !decided.used[k] || p.code[k].code == opcode::input ||
        p.code[k].code == opcode::constant || p.code[k].code == opcode::vector)
      continue;
    int output = forward.outputs.find(k);
    if (output < 0) output = forward.outputs.add(k);
    copy.place[k] = t.input(d.inputs + d.outputs + result.saved.add(output), p.code[k].size);
    if (p.varies.size > 0) t.written.varies.add(decided.domains[k]);
  }
  for (int k = 0; k < p.code.size; ++k)
    if (copy.place[k] < 0 && (k >= d.forward_size || decided.cost_again(k) <= detail::recompute_limit)) {
      bool ready = true;
      for_operands(p.code[k], [&](int o) { ready = ready && copy.place[o] >= 0; });
      if (ready && p.effects.find(k) >= 0) {
        copy.copy_statement(k);
      } else if (ready) {
        copy.copy(k);
      }
    }
  for (int o = d.outputs; o < p.outputs.size; ++o) t.written.outputs.add(copy.place[p.outputs[o]]);
  for (int e : p.effects) t.written.effects.add(copy.place[e]);
  if (t.wrong) throw "the gradient has outgrown a capacity: see rehearsal.hpp";
  result.forward = eliminate_dead_code(forward);
  result.backward = eliminate_dead_code(t.written);
  return result;
}

}  // namespace tenon::inline v0_1::ir
