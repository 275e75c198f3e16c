// program: the equations of one step or one position, as a value in static single assignment form.
// Instruction k defines value k: a vector of `size` features. Size 1 broadcasts. Nothing here depends on memory or
// a machine.
#pragma once

#include "tenon/meta/list.hpp"
#include "tenon/meta/text.hpp"
#include "tenon/program/primitive.hpp"

namespace tenon::inline v0_1::ir {

inline constexpr int max_instructions = 512, max_symbols = 40, max_program_inputs = 96,
                     max_program_outputs = 96,
                     max_sources = 16;  // of a node, and therefore arguments of an equation

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

// The axes that a value varies along: none, if it depends only on parameters; the batch; time, whose steps a loop runs
// one after the other; and an inner axis, which each of those steps sees whole.
enum class domain : unsigned char {
  free = 0,
  batch = 1,  // no axis of time
  rows = 3,   // the batch and time
  inner = 5,  // the batch and the inner axis
  both = 7,   // all three
};
constexpr domain operator|(domain a, domain b) {
  return static_cast<domain>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has_all(domain whole, domain part) { return (whole | part) == whole; }
// A time axis of a program; the number is its index in arrays of both axes.
enum class dimension : unsigned char { time = 0, inner = 1 };
inline constexpr dimension both_axes[]{dimension::inner, dimension::time};
constexpr domain domain_along(dimension axis) {
  return axis == dimension::time ? domain::rows : domain::inner;
}
constexpr bool has_axis(domain d, dimension axis) { return has_all(d, domain_along(axis)); }
constexpr domain without_axis(domain d, dimension axis) {
  return static_cast<domain>(static_cast<unsigned>(d) & (axis == dimension::time ? 5u : 3u));
}

// Inputs that an equation adds itself. They come after the inputs from its sources.
enum class own_input : unsigned char {
  count,     // 0, 1, .. size - 1
  position,  // the number of each step, from 0
  inner_position,
  length,  // the number of steps of each sequence
  inner_length,
  noise,  // in training 0 for a share of the numbers, else 1 / (1 - share); drawn for each row, or for each sequence
  noise_of_sequence,
};
struct own_number {
  own_input kind{};
  double share = 0;  // noise

  constexpr bool operator==(const own_number&) const = default;
};
constexpr own_input position_along(dimension axis) {
  return axis == dimension::time ? own_input::position : own_input::inner_position;
}
constexpr own_input length_along(dimension axis) {
  return axis == dimension::time ? own_input::length : own_input::inner_length;
}
constexpr domain domain_of_own(own_input kind) {
  const bool is_of_rows = kind == own_input::position || kind == own_input::noise;
  return is_of_rows ? domain::rows : kind == own_input::inner_position ? domain::inner : domain::batch;
}

struct instruction {
  opcode code{};
  short a = -1, b = -1, c = -1;  // operands: values defined earlier
  // input: its index; vector, matmul*, gradient_*: first symbol; slice: first feature; axis_*, pair_sum, shift, *_features:
  // the axis;
  // copy: 1 and the axis that it is spread along, or 0
  int first = 0;
  // matmul*, gradient_outer: how many symbols are stacked in the product; pair_*, to_lanes: groups of features
  short count = 0;
  int size = 0;  // features of the value; 0: not known yet
  double number =
      0;  // constant: its value; shift: positions later; earlier: positions before; keep: the most steps

  // Is it the same computation? (Sizes follow from the operands, except for copies, slices and from_features.)
  constexpr bool same(const instruction& o) const {
    return code == o.code && a == o.a && b == o.b && c == o.c && first == o.first && count == o.count &&
           number == o.number &&
           ((code != opcode::copy && code != opcode::slice && code != opcode::from_features) ||
            size == o.size);
  }
  constexpr bool operator==(const instruction&) const = default;
};

template <class Lists>
struct basic_program {
  template <class T, int Capacity>
  using list_of = typename Lists::template list<T, Capacity>;

  list_of<instruction, max_instructions> code;
  list_of<symbol, max_symbols> symbols;
  list_of<int, max_program_inputs> inputs;     // sizes
  list_of<domain, max_program_inputs> varies;  // by input; empty: all vary with every row
  list_of<own_number, 16> own;                 // the last inputs, which the equation adds itself
  list_of<int, max_program_outputs> outputs;   // values
  list_of<int, max_program_outputs>
      effects{};  // gradient_outer and gradient_sum instructions: kept, but no value

  constexpr int input_value(int index) const {
    for (int k = 0; k < code.size; ++k)
      if (code[k].code == opcode::input && code[k].first == index) return k;
    return -1;
  }
  constexpr bool operator==(const basic_program&) const = default;

  constexpr int longest() const {
    return longest_of(
        {code.size, symbols.size, inputs.size, varies.size, own.size, outputs.size, effects.size});
  }
  template <class Other>
  constexpr operator basic_program<Other>() const {
    return {code, symbols, inputs, varies, own, outputs, effects};
  }
};
using program = basic_program<growing>;
using program_view = basic_program<viewed>;

// Is it a copy that repeats its operand at every position of an axis?
constexpr bool is_spread(const instruction& i) { return i.code == opcode::copy && i.first != 0; }
// The axis that an instruction works along: a spread, a sum, a softmax ..
constexpr dimension axis_of(const instruction& i) {
  return static_cast<dimension>(i.code == opcode::copy ? i.first - 1 : i.first);
}

// Calls f(operand) for each value that instruction i reads.
template <class F>
constexpr void for_operands(const instruction& i, F f) {
  if (i.a >= 0) f(i.a);
  if (i.b >= 0) f(i.b);
  if (i.c >= 0) f(i.c);
}

// The domain of an instruction's value. `varies`: that of its program; `earlier`: the domains of the values before.
constexpr domain domain_of(const list_view<domain>& varies, const instruction& i, const domain* earlier) {
  if (i.code == opcode::input) return i.first < varies.size ? varies[i.first] : domain::rows;
  unsigned axes = 0;
  for_operands(i, [&](int o) { axes |= static_cast<unsigned>(earlier[o]); });
  const domain widest = static_cast<domain>(axes);
  if (is_axis_reduction(i.code)) return without_axis(widest | domain::batch, axis_of(i));
  if (is_spread(i) || i.code == opcode::from_features) return widest | domain_along(axis_of(i));
  if (i.code == opcode::turn || i.code == opcode::keep || i.code == opcode::earlier)
    return widest == domain::rows ? domain::inner : domain::rows;
  // A value computed from parameters only is the same at all time steps: in a program with axes its domain is `batch`.
  const bool computed = i.code != opcode::vector && i.code != opcode::constant;
  return computed && widest == domain::free && varies.size > 0 ? domain::batch : widest;
}

// Is it a sum over time of a value with both axes? Each step of the loop adds to it.
constexpr bool adds_up_in_loop(const instruction& i, const domain* domains) {
  return (i.code == opcode::axis_sum || i.code == opcode::pair_sum) && axis_of(i) == dimension::time &&
         domains[i.a] == domain::both;
}

// The name of what produced value k, for a diagnostic.
constexpr name described(const program_view& p, int k) {
  const instruction& i = p.code[k];
  if (i.code == opcode::matmul || i.code == opcode::vector) return written_as(p.symbols[i.first]);
  if (i.code == opcode::input) return name("input ").append(int(i.first));
  return name(spelling(i.code)).append("(...)");
}

// Multiplications and additions of all contractions for one row: the largest part of the work.
constexpr long multiply_adds(const program_view& p) {
  long total = 0;
  for (const instruction& i : p.code)
    if (i.code == opcode::matmul || i.code == opcode::matmul_transposed)
      total += long(i.size) * p.code[i.a].size;
  return total;
}

}  // namespace tenon::inline v0_1::ir
