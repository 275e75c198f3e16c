// join: two programs as one, where the second maps what the first makes. The first has one output, and neither has effects.
#pragma once

#include "tenon/equation/rewrite.hpp"

namespace tenon::inline v0_1::ir {

// Does a program consist of products and maps, without an axis of its own and without random numbers?
constexpr bool has_only_products_and_maps(const program_view& p) {
  for (const instruction& i : p.code) {
    const bool is_spread_or_turned = is_spread(i) || i.code == opcode::turn;
    if ((detail::is_heavy(i.code) && i.code != opcode::matmul) || is_spread_or_turned) return false;
  }
  for (const own_number& own : p.own)
    if (own.share > 0) return false;
  return true;
}

// Is this input, or a part of it, read by maps, and by nothing else?
constexpr bool is_only_mapped(const program_view& p, int input) {
  bool holds[max_instructions]{};
  const int x = p.input_value(input);
  if (x < 0) return false;
  holds[x] = true;
  for (int k = x + 1; k < p.code.size; ++k) {
    bool reads = false;
    for_operands(p.code[k], [&](int o) { reads = reads || holds[o]; });
    if (reads && !detail::is_alias(p.code[k].code) && !detail::is_mapped(p.code[k].code)) return false;
    holds[k] = reads && detail::is_alias(p.code[k].code);
  }
  for (int o : p.outputs)
    if (holds[o]) return false;
  return true;
}

// How the sources of two programs become those of one.
struct joined_sources {
  int size = 0;  // of the joined program; the first program's keep their numbers
  list<int, max_program_inputs>
      of_second{};  // by source of the second: its number; -1: the output of the first

  constexpr bool operator==(const joined_sources&) const = default;
};

// The second program on what the first makes. Inputs that the programs add themselves come last.
constexpr program join(const program_view& first, const program_view& second, const joined_sources& sources) {
  tape joined;
  program& made = joined.written;
  for (int i = 0; i < sources.size + first.own.size + second.own.size; ++i) made.inputs.add(0);
  if (first.varies.size + second.varies.size > 0)
    for (int i = 0; i < made.inputs.size; ++i) made.varies.add(domain::rows);

  // The numbers of an equation's inputs in the joined one.
  using numbers = list<int, max_program_inputs>;
  numbers of_first, of_second = sources.of_second;
  for (int i = 0; i < first.inputs.size - first.own.size; ++i) of_first.add(i);
  for (int n = 0; n < first.own.size; ++n) of_first.add(sources.size + n);
  for (int n = 0; n < second.own.size; ++n) of_second.add(sources.size + first.own.size + n);

  short place[max_instructions]{};
  // made_first: the value of an input that the first equation makes.
  const auto copy = [&](const program_view& from, const numbers& number, int symbols_before,
                        short made_first) {
    for (int i = 0; i < from.inputs.size; ++i) {
      if (number[i] < 0) continue;
      made.inputs[number[i]] = from.inputs[i];
      if (i < from.varies.size) made.varies[number[i]] = from.varies[i];
    }
    for (int n = 0; n < from.own.size; ++n) made.own.add(from.own[n]);
    for (int s = 0; s < from.symbols.size; ++s) made.symbols.add(from.symbols[s]);
    for (int k = 0; k < from.code.size; ++k) {
      instruction i = from.code[k];
      if (i.code == opcode::input) {
        i.first = number[i.first];
        place[k] = i.first < 0 ? made_first : static_cast<short>(joined.emit(i));
        continue;
      }
      for (short* o : {&i.a, &i.b, &i.c})
        if (*o >= 0) *o = place[*o];
      if (i.code == opcode::vector || i.code == opcode::matmul) i.first += symbols_before;
      place[k] = static_cast<short>(joined.emit(i));
    }
  };
  copy(first, of_first, 0, -1);
  copy(second, of_second, first.symbols.size, place[first.outputs[0]]);
  for (int o : second.outputs) made.outputs.add(place[o]);
  return eliminate_dead_code(made);
}

}  // namespace tenon::inline v0_1::ir
