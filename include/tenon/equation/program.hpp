// program: the equations of one step or one position, as a value in static single assignment form.
// Instruction k defines value k: a vector of `size` features. Size 1 broadcasts. Nothing here knows memory or
// a machine.
#pragma once

#include "tenon/equation/primitive.hpp"
#include "tenon/meta/list.hpp"
#include "tenon/meta/text.hpp"

namespace tenon::ir {

inline constexpr int max_instructions = 512, max_symbols = 40, max_program_inputs = 96,
                     max_program_outputs = 96,
                     max_sources = 16;  // of a node; and so the arguments of an equation

// A learned matrix [rows, columns] or vector [rows] (columns 0), as an equation names it: W<"z"> has letter W
// and gate z.
struct symbol {
  label letter{};
  label gate{};
  int rows = 0;
  int columns = 0;

  constexpr bool is_matrix() const { return columns > 0; }
  constexpr int elements() const { return rows * (columns > 0 ? columns : 1); }
  constexpr bool same_name(const symbol& o) const { return letter == o.letter && gate == o.gate; }
  constexpr bool operator==(const symbol&) const = default;
};

// `W<"z">`, `b<"n">`, `weight`: how the equation wrote the symbol.
constexpr name written_as(const symbol& s) {
  name n = s.letter.view();
  if (!s.gate.empty()) n.append("<\"").append(s.gate.view()).append("\">");
  return n;
}

struct instruction {
  op code{};
  short a = -1, b = -1, c = -1;  // operands: values defined earlier
  int first = 0;      // input: its index; vector, contract*, gradient_*: first symbol; slice: first feature
  short count = 0;    // contract*, gradient_outer: how many symbols stand below each other in the product
  int size = 0;       // features of the value; 0: not known yet
  double number = 0;  // constant; shift: so many positions later

  // The same computation (sizes follow from the operands, but for copies and constants).
  constexpr bool same(const instruction& o) const {
    return code == o.code && a == o.a && b == o.b && c == o.c && first == o.first && count == o.count &&
           number == o.number && ((code != op::copy && code != op::slice) || size == o.size);
  }
  constexpr bool operator==(const instruction&) const = default;
};

struct program {
  list<instruction, max_instructions> code{};
  list<symbol, max_symbols> symbols{};
  list<int, max_program_inputs> inputs{};  // sizes
  list<bool, max_program_inputs>
      timeless{};  // inputs that are the same at every time step; none listed: none is
  list<int, max_program_outputs> outputs{};  // values
  list<int, max_program_outputs>
      effects{};  // gradient_outer and gradient_sum instructions: kept, but no value

  constexpr int input_value(int index) const {
    for (int k = 0; k < code.size; ++k)
      if (code[k].code == op::input && code[k].first == index) return k;
    return -1;
  }
  constexpr bool operator==(const program&) const = default;
};

// A copy that stands at every position of the axis, whatever it is a copy of.
constexpr bool is_spread(const instruction& i) { return i.code == op::copy && i.first != 0; }

// Inputs that an equation asks for itself stand behind those that its sources give. Their shape says what they are.
enum class own_input : unsigned char {
  count,     // more than one feature: 0, 1, .. size - 1
  position,  // one, at each step: the number of the step, from 0
  length,    // one for a sequence: how many steps it has
};
constexpr own_input own_input_of(const program& p, int input) {
  if (p.inputs[input] > 1) return own_input::count;
  return p.timeless[input] ? own_input::length : own_input::position;
}

// Calls f(operand) for each value that instruction i reads.
template <class F>
constexpr void for_operands(const instruction& i, F f) {
  if (i.a >= 0) f(i.a);
  if (i.b >= 0) f(i.b);
  if (i.c >= 0) f(i.c);
}

// How a value varies: with nothing but parameters, with the sequence alone, or with every row (sequence and
// time).
enum class domain : unsigned char { free, timeless, rows };

constexpr domain domain_of(const program& p, const instruction& i, const domain* earlier) {
  if (i.code == op::input)
    return i.first < p.timeless.size && p.timeless[i.first] ? domain::timeless : domain::rows;
  if (is_axis_reduction(i.code)) return domain::timeless;
  if (is_spread(i)) return domain::rows;
  domain widest = domain::free;
  for_operands(i, [&](int o) { widest = earlier[o] > widest ? earlier[o] : widest; });
  // What is computed from parameters alone is the same at all time steps, where there are such values at all.
  const bool computed = i.code != op::vector && i.code != op::constant;
  return computed && widest == domain::free && p.timeless.size > 0 ? domain::timeless : widest;
}

// What produced value k, for a diagnostic.
constexpr name described(const program& p, int k) {
  const instruction& i = p.code[k];
  if (i.code == op::contract || i.code == op::vector) return written_as(p.symbols[i.first]);
  if (i.code == op::input) return name("input ").append(int(i.first));
  return name(spelling(i.code)).append("(...)");
}

// Multiplications and additions of all contractions for one row: the work that dominates.
constexpr long multiply_adds(const program& p) {
  long total = 0;
  for (const instruction& i : p.code)
    if (i.code == op::contract || i.code == op::contract_transposed) total += long(i.size) * p.code[i.a].size;
  return total;
}

}  // namespace tenon::ir
