// reverse: reverse mode over a program. For y = f(x), the joint program also takes the adjoint of every output (dL/dy)
// and returns the adjoint of every input that requires one (dL/dx). Its effects add to the gradients of the parameters.
#pragma once

#include "tenon/equation/language.hpp"
#include "tenon/equation/rewrite.hpp"
#include "tenon/program/primitives.hpp"

namespace tenon::inline v0_1::ir {

// Inputs: those of the forward program, then the adjoint of each of its outputs.
// Outputs: those of the forward program, then the adjoint of each input that requires one.
struct differentiated {
  program joint;
  int forward_size = 0;  // instructions before this one are the forward program
  int inputs = 0, outputs = 0;
};

// A set of symbols of a program: bit s is symbol s.
using symbol_set = unsigned long long;
static_assert(max_symbols <= 64);

namespace detail {

class reversal {
 public:
  constexpr reversal(const program_view& forward, const list<bool, max_program_inputs>& requires_adjoint,
                     const list<int, max_program_outputs>& without_adjoint, symbol_set frozen)
      : source(forward), frozen_(frozen) {
    t.written = forward;
    t.written.outputs = {};
    for (int& a : adjoint) a = -1;
    mark_needed(requires_adjoint);
    forward_size = forward.code.size;
    for (int o = 0; o < source.outputs.size; ++o) {
      const int y = source.outputs[o];
      const int output_adjoint = t.input(source.inputs.size + o, t.size(y));
      if (has_axes()) t.written.varies.add(t.domain_at(y) == domain::free ? domain::batch : t.domain_at(y));
      if (needed[y] && without_adjoint.find(o) < 0) accumulate(y, output_adjoint);
    }
    for (int k = forward_size - 1; k >= 0; --k) {
      if (has_slices[k]) gather_slices(k);
      if (adjoint[k] >= 0) visit(k);
    }
  }

  constexpr differentiated finish(const list<bool, max_program_inputs>& requires_adjoint) {
    if (t.wrong) throw "the gradient has outgrown a capacity: see rehearsal.hpp";
    for (int o : source.outputs) t.written.outputs.add(o);
    for (int i = 0; i < requires_adjoint.size; ++i) {
      if (!requires_adjoint[i]) continue;
      const int k = source.input_value(i);
      const int size = source.inputs[i];
      const int a = t.widen(k >= 0 && adjoint[k] >= 0 ? adjoint[k] : t.constant(0), size);
      t.written.outputs.add(has_axes() ? spread_as(a, source.varies[i]) : a);
    }
    return {t.written, forward_size, source.inputs.size, source.outputs.size};
  }

 private:
  program_view source;
  symbol_set frozen_;
  tape t;
  int forward_size = 0;
  int adjoint[max_instructions]{};
  bool needed
      [max_instructions]{};  // does the value depend on a parameter, or on an input that requires an adjoint?
  bool has_slices[max_instructions]{};

  constexpr bool has_axes() const { return source.varies.size > 0; }
  // Spreads value a along all axes of the domain `whole`.
  constexpr int spread_as(int a, domain whole) {
    for (dimension axis : both_axes)
      if (has_axis(whole, axis)) a = t.spread(a, axis);
    return a;
  }
  constexpr value on_tape(int k) { return {&t, k}; }

  // Does it use a symbol that has a gradient? The symbols of one product all have one, or none has.
  constexpr bool is_learned(const instruction& i) const {
    return (i.code == opcode::matmul || i.code == opcode::vector) && ((frozen_ >> i.first) & 1u) == 0;
  }
  constexpr void mark_needed(const list<bool, max_program_inputs>& requires_adjoint) {
    for (int k = 0; k < source.code.size; ++k) {
      const instruction& i = source.code[k];
      if (i.code == opcode::slice) has_slices[i.a] = true;
      needed[k] = is_learned(i) ||
                  (i.code == opcode::input && i.first < requires_adjoint.size && requires_adjoint[i.first]);
      for_operands(i, [&](int o) { needed[k] = needed[k] || needed[o]; });
    }
  }
  // Adds g to the adjoint of k. If k was broadcast over features or along an axis, the adjoints of its copies
  // are summed.
  constexpr void accumulate(int k, int g) {
    if (!needed[k]) return;
    if (t.size(g) > t.size(k)) g = t.emit(opcode::row_sum, g);
    if (has_axes())
      for (dimension axis : both_axes)
        if (t.has_axis(g, axis) && !t.has_axis(k, axis)) g = over_axis(on_tape(g), axis).index;
    adjoint[k] = adjoint[k] < 0 ? g : t.emit(opcode::add, adjoint[k], g);
  }
  constexpr int full(int k) { return t.widen(adjoint[k], t.size(k)); }

  constexpr void visit(int k) {
    const instruction i = source.code[k];
    // A value that was summed over an axis has one adjoint for all positions.
    if (has_axes() && !t.is_number(adjoint[k], 0)) adjoint[k] = spread_as(adjoint[k], t.domain_at(k));
    switch (i.code) {
      case opcode::matmul:
        if (is_learned(i)) {
          t.written.effects.add(t.written.code.size);
          t.written.code.add({.code = opcode::gradient_outer,
                              .a = short(full_before_effect(k)),
                              .b = i.a,
                              .first = i.first,
                              .count = i.count});
        }
        if (needed[i.a])
          accumulate(i.a, t.emit({.code = opcode::matmul_transposed,
                                  .a = short(full(k)),
                                  .first = i.first,
                                  .count = i.count,
                                  .size = t.size(i.a)}));
        break;
      case opcode::vector:
        if (!is_learned(i)) break;
        t.written.effects.add(t.written.code.size);
        t.written.code.add(
            {.code = opcode::gradient_sum, .a = short(full_before_effect(k)), .first = i.first, .count = 1});
        break;
      case opcode::concat:
        accumulate(i.a, t.slice(full(k), 0, t.size(i.a)));
        accumulate(i.b, t.slice(full(k), t.size(i.a), t.size(i.b)));
        break;
      case opcode::row_sum:
        accumulate(i.a, t.widen(adjoint[k], t.size(i.a)));
        break;
      case opcode::row_max: {  // equal maxima share the adjoint
        const value hit = equal(on_tape(i.a), on_tape(k));
        accumulate(i.a, (on_tape(adjoint[k]) * hit / sum(hit)).index);
        break;
      }
      case opcode::axis_sum:
        accumulate(i.a, t.spread(adjoint[k], axis_of(i)));
        break;
      case opcode::pair_dot: {
        const int g = full(k);
        if (needed[i.a]) accumulate(i.a, t.pair_sum(g, i.b, dimension::inner));
        if (needed[i.b]) accumulate(i.b, t.pair_sum(g, i.a, dimension::time));
        break;
      }
      case opcode::pair_sum: {
        const int g = full(k);
        const bool over_inner = axis_of(i) == dimension::inner;
        if (needed[i.a]) accumulate(i.a, t.pair_dot(g, i.b, i.count));
        if (needed[i.b]) accumulate(i.b, t.pair_sum(i.a, g, over_inner ? dimension::time : dimension::inner));
        break;
      }
      case opcode::as_features:
        accumulate(i.a, t.from_features(full(k), axis_of(i), t.size(i.a)));
        break;
      case opcode::shift:
        accumulate(i.a, t.shift(full(k), -i.number, axis_of(i)));
        break;
      case opcode::flip:
        accumulate(i.a, t.over_axis(opcode::flip, full(k), axis_of(i)));
        break;
      case opcode::turn:
        accumulate(i.a, t.emit(opcode::turn, full(k)));
        break;
      case opcode::axis_max: {  // equal maxima share the adjoint
        const value hit = equal(on_tape(i.a), on_tape(k));
        accumulate(i.a, (on_tape(adjoint[k]) / over_axis(hit, axis_of(i)) * hit).index);
        break;
      }
      case opcode::axis_softmax: {
        const value g = on_tape(adjoint[k]), y = on_tape(k);
        accumulate(i.a, (y * (g - over_axis(y * g, axis_of(i)))).index);
        break;
      }
      default:
        if (is_elementwise(i.code)) visit_elementwise(k, i);
    }
  }
  constexpr value over_axis(value x, dimension axis) {
    return on_tape(t.over_axis(opcode::axis_sum, x.index, axis));
  }
  // The effect instruction is added by hand, so its operand must be written first.
  constexpr int full_before_effect(int k) {
    const int g = full(k);
    t.written.effects.last() = t.written.code.size;
    return g;
  }
  constexpr void visit_elementwise(int k, const instruction& i) {
    const short operands[]{i.a, i.b, i.c};
    const auto to = [&](int o, auto g) {
      if constexpr (std::same_as<decltype(g), value>) accumulate(operands[o], g.index);
      else accumulate(operands[o], t.constant(g));
    };
    const value g = on_tape(adjoint[k]), y = on_tape(k);
    visit_primitive(i.code, [&](auto p) {
      if constexpr (p.arity == 1) p.derivative(to, g, y, on_tape(i.a));
      else if constexpr (p.arity == 2) p.derivative(to, g, y, on_tape(i.a), on_tape(i.b));
      else p.derivative(to, g, y, on_tape(i.a), on_tape(i.b), on_tape(i.c));
    });
  }
  // The adjoint of a value whose slices were used: their adjoints side by side, zeros in the gaps. Overlapping
  // slices are added in several passes.
  constexpr void gather_slices(int k) {
    list<int, max_instructions> open;
    for (int q = k + 1; q < forward_size; ++q)
      if (source.code[q].code == opcode::slice && source.code[q].a == k && adjoint[q] >= 0) open.add(q);
    bool used[max_instructions]{};
    for (int left = open.size; left > 0;) {
      int whole = -1, cursor = 0;
      const auto append = [&](int piece) {
        whole = whole < 0 ? piece : t.emit(opcode::concat, whole, piece);
      };
      for (;;) {
        int best = -1;
        for (int q : open)
          if (!used[q] && source.code[q].first >= cursor &&
              (best < 0 || source.code[q].first < source.code[best].first))
            best = q;
        if (best < 0) break;
        used[best] = true;
        --left;
        if (source.code[best].first > cursor) append(t.zeros(source.code[best].first - cursor));
        append(full(best));
        cursor = source.code[best].first + t.size(best);
      }
      if (cursor < t.size(k)) append(t.zeros(t.size(k) - cursor));
      accumulate(k, whole);
    }
  }
};

}  // namespace detail

// without_adjoint: outputs that the loss does not depend on; their adjoint is zero. frozen: symbols without gradient.
constexpr differentiated reverse(const program_view& forward,
                                 const list<bool, max_program_inputs>& requires_adjoint,
                                 const list<int, max_program_outputs>& without_adjoint = {},
                                 symbol_set frozen = 0) {
  detail::reversal r(forward, requires_adjoint, without_adjoint, frozen);
  return r.finish(requires_adjoint);
}

}  // namespace tenon::inline v0_1::ir
