// Passes that rewrite a program: remove dead code, put symbols into storage order, join products of one input.
#pragma once

#include "tenon/equation/tape.hpp"

namespace tenon::inline v0_1::ir {

// --- dead code ---------------------------------------------------------------------------------------------
struct liveness {
  bool alive[max_instructions]{};
};
constexpr liveness find_live(const program_view& p) {
  liveness live;
  for (int o : p.outputs) live.alive[o] = true;
  for (int e : p.effects) live.alive[e] = true;
  for (int k = p.code.size - 1; k >= 0; --k)
    if (live.alive[k]) for_operands(p.code[k], [&](int o) { live.alive[o] = true; });
  return live;
}

// Copies instructions from one program to a tape, one at a time; place[k] is where value k went.
struct rewriter {
  program_view from;
  tape& to;
  int place[max_instructions]{};

  constexpr rewriter(const program_view& source, tape& target) : from(source), to(target) {
    to.written.symbols = from.symbols;
    to.written.inputs = from.inputs;
    to.written.varies = from.varies;
    to.written.own = from.own;
    for (int k = 0; k < from.code.size; ++k) place[k] = -1;
  }
  constexpr int copy(int k) { return place[k] = to.emit(moved(k)); }
  // An effect is a statement: it is never merged with an equal one.
  constexpr int copy_statement(int k) { return place[k] = to.add(moved(k)); }
  constexpr program finish() {
    if (to.wrong) throw "the equation has outgrown a capacity: see rehearsal.hpp";
    for (int o : from.outputs) to.written.outputs.add(place[o]);
    for (int e : from.effects) to.written.effects.add(place[e]);
    return to.written;
  }

 private:
  constexpr instruction moved(int k) const {
    instruction i = from.code[k];
    for (short* o : {&i.a, &i.b, &i.c})
      if (*o >= 0) *o = static_cast<short>(place[*o]);
    return i;
  }
};

// Removes what no output needs, and folds again, now that all sizes are known.
constexpr program eliminate_dead_code(const program_view& p) {
  const liveness live = find_live(p);
  tape t;
  rewriter copy(p, t);
  for (int k = 0; k < p.code.size; ++k) {
    if (!live.alive[k]) continue;
    const instruction& i = p.code[k];
    if (i.code == opcode::constant && i.a >= 0) copy.place[k] = t.constant(p.code[i.a].size);  // size_of(a)
    else copy.copy(k);
  }
  return copy.finish();
}

// The same equations without b, b_W, b_U and `bias`.
constexpr program without_biases(const program_view& p) {
  tape t;
  rewriter copy(p, t);
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    const auto is_bias = [&](const symbol& s) {
      return s.letter == "b" || s.letter == "b_W" || s.letter == "b_U" || s.letter == "bias";
    };
    if (i.code == opcode::vector && is_bias(p.symbols[i.first])) copy.place[k] = t.zeros(i.size);
    else copy.copy(k);
  }
  return eliminate_dead_code(copy.finish());
}

// --- storage: which symbols are stacked under one name, as in PyTorch's weight_ih = [W_i; W_f; W_g; W_o] ------
struct stack {
  label stored{};         // weight_ih
  label letter{};         // W
  list<label, 16> gates;  // i, f, g, o
};
using storage_layout = list<stack, 16>;

// PyTorch's names for the parameters of a recurrent layer, gates in its order.
constexpr storage_layout torch_storage(std::same_as<const char*> auto... gates) {
  using gate_names = decltype(stack::gates);
  constexpr bool has_room = sizeof...(gates) <= gate_names::capacity;
  static_assert(has_room, "torch_storage has room for 16 gates");
  if constexpr (has_room) {
    const gate_names order{label(gates)...};
    return {stack{"weight_ih", "W", order}, stack{"weight_hh", "U", order}, stack{"bias_ih", "b_W", order},
            stack{"bias_hh", "b_U", order}};
  } else {
    return {};
  }
}

// Puts the symbols into the order of the layout. Those that it does not name follow, matrices of one input side by
// side. Unused symbols are removed.
constexpr program order_symbols(const program_view& p, const storage_layout& layout) {
  list<int, max_symbols> order;
  const auto take = [&](int s) {
    if (order.find(s) < 0) order.add(s);
  };
  list<const instruction*, max_instructions> products;
  bool used[max_symbols]{};
  for (const instruction& i : p.code) {
    if (i.code == opcode::matmul) products.add(&i);
    if (i.code == opcode::matmul || i.code == opcode::vector) used[i.first] = true;
  }
  for (const stack& st : layout)
    for (const label& gate : st.gates)
      for (int s = 0; s < p.symbols.size; ++s)
        if (p.symbols[s].letter == st.letter && p.symbols[s].gate == gate && used[s]) take(s);
  for (int x = 0; x < p.code.size; ++x)
    for (const instruction* i : products)
      if (i->a == x) take(i->first);
  for (const instruction& i : p.code)
    if (i.code == opcode::vector) take(i.first);

  program ordered = p;
  ordered.symbols = {};
  for (int s : order) ordered.symbols.add(p.symbols[s]);
  for (instruction& i : ordered.code)
    if (i.code == opcode::matmul || i.code == opcode::vector) i.first = order.find(i.first);
  return ordered;
}

// One stored parameter: symbols [first, first + count) of the program, rows below each other.
struct stored_parameter {
  name path{};
  int first = 0, count = 1;
  int rows = 0, columns = 0;
};
constexpr auto stored_parameters(const program_view& p, const storage_layout& layout) {
  list<stored_parameter, max_symbols> result;
  for (int s = 0; s < p.symbols.size; ++s) {
    const symbol& one = p.symbols[s];
    name path = one.letter.view();
    if (!one.gate.empty()) path.append("_").append(one.gate.view());
    bool stacked = false;
    for (const stack& st : layout)
      if (st.letter == one.letter && st.gates.find(one.gate) >= 0) {
        path = st.stored.view();
        stacked = true;
      }
    if (stacked && !result.empty() && result.last().path == path) {
      ++result.last().count;
      result.last().rows += one.rows;
    } else {
      result.add({.path = path, .first = s, .count = 1, .rows = one.rows, .columns = one.columns});
    }
  }
  return result;
}

// --- grouping: products that share an input become one product with the rows of all ------------------------
// W_z x, W_r x, W_n x  ->  p = [W_z; W_r; W_n] x and its slices. Only neighbours in storage can be joined.
constexpr program group_products(const program_view& p) {
  tape t;
  rewriter copy(p, t);
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    if (copy.place[k] >= 0) continue;
    if (i.code != opcode::matmul || i.count > 1) {
      copy.copy(k);
      continue;
    }
    const auto product_with = [&](int s) {  // the product of this very input with symbol s, or -1
      for (int q = 0; q < p.code.size; ++q)
        if (p.code[q].code == opcode::matmul && p.code[q].count == 1 && p.code[q].a == i.a &&
            p.code[q].first == s)
          return q;
      return -1;
    };
    int first = i.first, last = i.first;
    while (first > 0 && product_with(first - 1) >= 0) --first;
    while (last + 1 < p.symbols.size && product_with(last + 1) >= 0) ++last;
    int rows = 0;
    for (int s = first; s <= last; ++s) rows += p.symbols[s].rows;
    const int whole = t.emit({.code = opcode::matmul,
                              .a = short(copy.place[i.a]),
                              .first = first,
                              .count = short(last - first + 1),
                              .size = rows});
    for (int s = first, row = 0; s <= last; row += p.symbols[s].rows, ++s)
      copy.place[product_with(s)] = t.slice(whole, row, p.symbols[s].rows);
  }
  return copy.finish();
}

}  // namespace tenon::inline v0_1::ir

namespace tenon::inline v0_1::nn::cells {
using ir::storage_layout;
using ir::torch_storage;
}  // namespace tenon::inline v0_1::nn::cells
