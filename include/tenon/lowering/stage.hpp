// stage: which products of a schedule are computed together with the only map that reads them.
#pragma once

#include "tenon/lowering/body.hpp"
#include "tenon/lowering/make_schedule.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {

// The map that is the only reader of `value`, and reads it in slices of its own width; -1: there is none.
constexpr int sole_reader(const schedule_view& s, int value) {
  const program_view& p = s.equations;
  int reader = -1;
  bool alone = s.places[value].in == space::buffer;
  for (int u = value + 1; u < p.code.size; ++u)
    for_operands(p.code[u], [&](int o) {
      if (o != value) return;
      const bool is_slice = p.code[u].code == opcode::slice;
      const int map = is_slice ? sole_reader(s, u) : is_elementwise(p.code[u].code) ? s.kernel_of[u] : -1;
      alone = alone && map >= 0 && (reader < 0 || reader == map);
      alone = alone && (is_slice || p.code[value].size == s.kernels[map].width);
      reader = map;
    });
  return alone ? reader : -1;
}
constexpr bool reduces(const schedule_view& s, int map) {
  for (int k = 0; k < s.equations.code.size; ++k)
    if (s.kernel_of[k] == map && !is_elementwise(s.equations.code[k].code)) return true;
  return false;
}

}  // namespace detail

// Does a kernel run on all steps at once, not on those of one step as in a loop?
constexpr bool runs_on_all_steps(const kernel& k) { return k.when != phase::loop && k.over != domain::batch; }

// The same schedule, in which each product knows its stage, if it has one. `of_steps`: for kernels that run on all
// steps at once.
constexpr schedule with_stages(schedule s, const stage_limits& limits, const stage_limits& of_steps) {
  if (limits == stage_limits{}) return s;
  s.one_row = limits.one_row;
  s.one_row_of_steps = of_steps.one_row;
  list<stage_limits, max_kernels> taken;
  for (int k = 0; k < s.kernels.size; ++k) taken.add({});
  for (kernel& k : s.kernels) {
    if (k.kind != kernel_kind::matmul || k.of_table || k.neighbours > 0) continue;
    const int map = detail::sole_reader(s, k.value);
    if (map < 0 || s.kernels[map].when != k.when || s.kernels[map].over != k.over) continue;
    if (detail::reduces(s, map)) continue;
    const instruction& product = s.equations.code[k.value];
    stage_limits& so_far = taken[map];
    const int sums = so_far.sums + product.size / s.kernels[map].width;
    const int weights =
        so_far.weights + product.size / s.kernels[map].width * s.equations.code[product.a].size;
    const stage_limits& most = runs_on_all_steps(s.kernels[map]) ? of_steps : limits;
    if (sums <= most.sums && sums <= max_stage_sums && weights <= most.weights) {
      k.stage = map;
      so_far = {.sums = sums, .weights = weights};
    }
  }
  return s;
}

// A program's schedule with its stages. A small loop keeps the products of its inputs, unless they displace another
// product from a stage.
constexpr schedule make_staged_schedule(const program_view& p, const carried_pairs& carried,
                                        const stage_limits& limits, const stage_limits& of_steps,
                                        bool once = false) {
  const schedule kept = with_stages(make_schedule(p, carried, limits.loop_weights, once), limits, of_steps);
  bool all_staged = true;
  for (const kernel& k : kept.kernels)
    all_staged = all_staged && (k.kind != kernel_kind::matmul || k.when != phase::loop || k.stage >= 0);
  if (all_staged) return kept;
  const schedule hoisted = with_stages(make_schedule(p, carried, 0, once), limits, of_steps);
  for (const kernel& before : hoisted.kernels)
    for (const kernel& now : kept.kernels)
      if (before.when == phase::loop && before.stage >= 0 && now.value == before.value && now.stage < 0)
        return hoisted;
  return kept;
}

namespace detail {

// Rebuilds a map as a stage: values that are added to a product go into its sum.
struct stage_builder {
  schedule_view s;
  map_view from;
  stage_body to{};
  int uses[max_instructions]{};
  int adder[max_instructions]{};  // the addition that reads it last; -1: none
  int moved[max_instructions]{};

  constexpr stage_builder(const schedule_view& schedule, int map, const map_view& body)
      : s(schedule), from(body) {
    to.body.width = body.width;
    to.body.stores = body.stores;
    to.one_row = runs_on_all_steps(s.kernels[map]) ? s.one_row_of_steps : s.one_row;
    for (int n = 0; n < s.kernels.size; ++n) {
      if (s.kernels[n].kind != kernel_kind::matmul || s.kernels[n].of_table) continue;
      const instruction& product = s.equations.code[s.kernels[n].value];
      const int depth = s.equations.code[product.a].size;
      if (s.kernels[n].stage == map) to.products.add({.kernel = n, .depth = depth});
      else if (s.kernels[n].when == s.kernels[map].when) to.others += product.size * depth;
    }
    for (int k = 0; k < from.code.size; ++k) {
      adder[k] = -1;
      for_operands(at(k), [&](int o) {
        ++uses[o];
        if (is_sum(k)) adder[o] = k;
      });
    }
    for (const map_store& store : from.stores) ++uses[store.local];
    for (int k = 0; k < from.code.size; ++k)
      if (!is_inner(k)) moved[k] = move(k);
    for (map_store& store : to.body.stores) store.local = static_cast<short>(moved[store.local]);
  }

  // --- what is in the map ---
  constexpr const instruction& at(int k) const { return from.code[k]; }
  constexpr const map_load* load_of(int k) const {
    return at(k).code == opcode::input ? &from.loads[at(k).first] : nullptr;
  }
  constexpr int product_of(int k) const {  // the product whose column is loaded; -1: none
    for (int p = 0; p < to.products.size && load_of(k) != nullptr; ++p) {
      const place &mine = load_of(k)->from, &whole = s.places[s.kernels[to.products[p].kernel].value];
      if (mine.in == space::buffer && mine.index == whole.index) return p;
    }
    return -1;
  }
  constexpr bool is_vector(int k) const {
    return load_of(k) != nullptr && load_of(k)->from.in == space::parameter && !load_of(k)->broadcast;
  }
  constexpr bool is_sum(int k) const { return at(k).code == opcode::add; }
  // An operand of only one addition: it may be added in any order.
  constexpr bool is_term(int k) const { return uses[k] == 1 && adder[k] >= 0; }
  constexpr bool is_inner(int k) const {  // it is summed as part of the whole addition
    return is_term(k) && (is_sum(k) || product_of(k) >= 0 || is_vector(k)) && has_product(root_of(k));
  }
  constexpr int root_of(int k) const {
    while (is_term(k)) k = adder[k];
    return k;
  }
  template <class F>
  constexpr void for_terms(int k, F f) const {
    for_operands(at(k), [&](int o) {
      if (is_sum(o) && is_term(o)) for_terms(o, f);
      else f(o);
    });
  }
  constexpr bool has_product(int root) const {
    if (!is_sum(root)) return false;
    bool found = false;
    for_terms(root, [&](int o) { found = found || (product_of(o) >= 0 && is_term(o)); });
    return found;
  }

  // --- what is in the stage ---
  constexpr int add_load(const map_load& load, int size) {
    const int l = to.body.loads.add(load);
    return to.body.code.add({.code = opcode::input, .first = l, .size = size});
  }
  constexpr void add_column(int k, int sum) {
    stage_product& p = to.products[product_of(k)];
    p.columns.add(load_of(k)->from.column - s.places[s.kernels[p.kernel].value].column);
    p.sums.add(sum);
  }
  constexpr int move(int k) {
    if (product_of(k) >= 0) {
      add_column(k, to.sums);
      return add_load({.sum = short(to.sums++)}, at(k).size);
    }
    if (is_vector(k)) {
      to.vectors.add({load_of(k)->from.index, to.packed});
      return add_load({.packed = short(to.packed++)}, at(k).size);
    }
    if (has_product(k)) return move_addition(k);
    if (load_of(k) != nullptr) return add_load(*load_of(k), at(k).size);
    instruction i = at(k);
    for (short* o : {&i.a, &i.b, &i.c})
      if (*o >= 0) *o = static_cast<short>(moved[*o]);
    return to.body.code.add(i);
  }
  constexpr int move_addition(int root) {
    const int sum = to.sums++;
    short begin = -1;
    for_terms(root, [&](int o) {
      if (product_of(o) >= 0 && is_term(o)) add_column(o, sum);
      if (!is_vector(o) || !is_term(o)) return;
      if (begin < 0) begin = static_cast<short>(to.packed++);
      to.vectors.add({load_of(o)->from.index, begin});
    });
    int result = add_load({.sum = short(sum), .packed = begin}, at(root).size);
    for_terms(root, [&](int o) {
      if ((product_of(o) >= 0 || is_vector(o)) && is_term(o)) return;
      result = to.body.code.add(
          {.code = opcode::add, .a = short(result), .b = short(moved[o]), .size = at(root).size});
    });
    return result;
  }
};

}  // namespace detail

// The stage of a map, or only the map if it has no products.
constexpr stage_body stage_of(const schedule_view& s, int map) {
  const map_body body = body_of(s, map);
  for (const kernel& k : s.kernels)
    if (k.stage == map) return detail::stage_builder(s, map, body).to;
  return {.body = body};
}

}  // namespace tenon::inline v0_1::ir
