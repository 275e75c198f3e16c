// owners: which instruction writes each value that needs memory.
#pragma once

#include "tenon/program/program.hpp"

namespace tenon::inline v0_1::ir::detail {

// Every output and every part of a concat gets an instruction of its own that can be told where to write.
constexpr program give_places_owners(const program_view& p) {
  bool owned[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k)
    if ((!is_mapped(p.code[k].code) && !is_heavy(p.code[k].code)) || p.code[k].code == opcode::keep)
      owned[k] = true;
  // A value that is summed over rows needs memory in which rows that have ended can be cleared: not an output, nor a
  // part of one. A sum over time steps may replace the memory of its operand.
  bool handed_on[max_instructions]{};
  for (int o : p.outputs) handed_on[o] = true;
  for (int k = p.code.size - 1; k >= 0; --k)
    if (handed_on[k] && p.code[k].code == opcode::concat)
      handed_on[p.code[k].a] = handed_on[p.code[k].b] = true;
  bool summed[max_instructions]{};
  for (const instruction& i : p.code) {
    const bool adds_rows = i.code == opcode::gradient_outer || i.code == opcode::gradient_sum;
    const bool owns_operand = traits_of(i.code).owns_operand;
    if (adds_rows || owns_operand)
      for_operands(i, [&](int o) {
        summed[o] = true;
        owned[o] = owned[o] || handed_on[o] || owns_operand;
      });
  }
  program q = p;
  q.code = {};
  q.outputs = {};
  q.effects = {};
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  int moved[max_instructions]{};
  const auto with_owner = [&](int k) {
    if (owned[k]) return q.code.add({.code = opcode::copy, .a = short(moved[k]), .size = p.code[k].size});
    owned[k] = true;
    return moved[k];
  };
  for (int o : p.outputs)  // a concat that is an output owns its place
    if (p.code[o].code == opcode::concat) owned[o] = summed[o];
  bool is_output[max_instructions]{};
  for (int o : p.outputs) is_output[o] = true;
  bool nested[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) {
    instruction i = p.code[k];
    if (i.code == opcode::concat) {
      const auto part = [&](short& o) {
        const bool repeated = domains[o] != domains[k];  // the same part for every row of the other
        const bool inner = p.code[o].code == opcode::concat && !is_output[o] && !nested[o] && !repeated;
        if (inner) nested[o] = true;
        o = static_cast<short>(
            inner ? moved[o]
            : is_output[o] || repeated
                ? q.code.add({.code = opcode::copy, .a = short(moved[o]), .size = p.code[o].size})
                : with_owner(o));
      };
      part(i.a);
      part(i.b);
    } else {
      for (short* o : {&i.a, &i.b, &i.c})
        if (*o >= 0) *o = static_cast<short>(moved[*o]);
    }
    moved[k] = q.code.add(i);
  }
  for (int o : p.outputs) q.outputs.add(with_owner(o));
  for (int e : p.effects) q.effects.add(moved[e]);
  return q;
}

}  // namespace tenon::inline v0_1::ir::detail
