// The offsets of a graph's parameters: all are in one block, with the learned ones in front.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {
// A grouped product reads its symbols as one matrix: tying or freezing one of them must not separate them.
constexpr void check_products(builder& b) {
  for (const operation& o : b.net.operations) {
    if (o.program < 0) continue;
    const program_view& p = b.net.programs[o.program];
    for (const instruction& i : p.code) {
      if (i.code != opcode::matmul) continue;
      for (int s = i.first; s + 1 < i.first + i.count; ++s) {
        if (is_frozen_symbol(b.net, o, s) != is_frozen_symbol(b.net, o, s + 1))
          b.fail({.rule = "a frozen parameter is part of a product of several gates",
                  .where = o.path,
                  .fix = "freeze all gates of one input: frozen_parameters<\"W_*\">"});
        else if (symbol_offset(b.net, o, s) + p.symbols[s].elements() != symbol_offset(b.net, o, s + 1))
          b.fail({.rule = "a tied parameter is part of a product of several gates",
                  .where = o.path,
                  .fix = "tie all gates of one input, in their order"});
      }
    }
  }
}
}  // namespace detail

// Offsets of all parameters in one block. Those of one operation that follow each other are contiguous, so
// that grouped products see one matrix; a tied parameter has the offset of its partner. Frozen parameters come after
// the rest, so that training walks over the front only.
constexpr void place_parameters(builder& b) {
  for (parameter& p : b.net.parameters)
    if (p.tied_to >= 0 && p.frozen) b.net.parameters[p.tied_to].frozen = true;
  int at = 0;
  const auto place = [&](bool frozen) {
    for (parameter& p : b.net.parameters) {
      if (p.tied_to >= 0 || p.frozen != frozen) continue;
      p.offset = at;
      at += p.elements();
    }
    return at = (at + builder::alignment - 1) / builder::alignment * builder::alignment;
  };
  b.net.learned_elements = place(false);
  b.net.parameter_elements = place(true);
  for (parameter& p : b.net.parameters)
    if (p.tied_to >= 0) {
      const parameter& owner = b.net.parameters[p.tied_to];
      p.offset = owner.offset;
      p.frozen = owner.frozen;
    }
  detail::check_products(b);
}

}  // namespace tenon::inline v0_1::ir
