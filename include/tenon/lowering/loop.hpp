// loop: finds time loops that are one stage, so that a backend can run all their steps as one kernel.
#pragma once

#include "tenon/lowering/stage.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {

// The map that is the whole loop, with the products of its stage; -1: the loop has other kernels, or no products.
constexpr int sole_map_of_loop(const schedule_view& s) {
  int map = -1, maps = 0, products = 0;
  for (int k = 0; k < s.kernels.size; ++k)
    if (s.kernels[k].when == phase::loop && s.kernels[k].kind == kernel_kind::map) {
      map = k;
      ++maps;
    }
  if (maps != 1 || s.kernels[map].runs_along() != dimension::time) return -1;
  for (int k = 0; k < s.kernels.size; ++k) {
    if (s.kernels[k].when != phase::loop || k == map) continue;
    if (s.kernels[k].kind != kernel_kind::matmul || s.kernels[k].stage != map) return -1;
    ++products;
  }
  return products > 0 ? map : -1;
}
// The column of a place among the states of a row; -1: it belongs to no state. States are read as inputs and written as
// outputs.
constexpr int column_of_state(const schedule_view& s, const place& p, space in) {
  int before = 0;
  for (const carried_pair& c : s.carried) {
    if (p.in == in && p.index == (in == space::input ? c.input : c.output)) return before + p.column;
    before += s.equations.inputs[c.input];
  }
  return -1;
}

}  // namespace detail

// The loop of a schedule, if it is one stage whose products read only states, and which writes each state whole. If it
// is not, the result has no states.
constexpr loop_body loop_of(const schedule_view& s) {
  const int map = s.lanes > 0 ? -1 : detail::sole_map_of_loop(s);
  if (map < 0) return {};
  loop_body loop{.stage = stage_of(s, map)};
  const map_body& body = loop.stage.body;
  if (body.loads.size > loop.loads.capacity || body.stores.size > loop.stores.capacity) return {};
  for (const stage_product& product : loop.stage.products) {
    const place& read = s.places[s.equations.code[s.kernels[product.kernel].value].a];
    if (loop.products.add(detail::column_of_state(s, read, space::input)); loop.products.last() < 0)
      return {};
  }
  for (const map_load& load : body.loads) {
    if (detail::column_of_state(s, load.from, space::output) >= 0) return {};
    loop.loads.add(detail::column_of_state(s, load.from, space::input));
  }
  for (const map_store& store : body.stores) {
    if (store.reduction != opcode::copy || store.accumulates()) return {};
    loop.stores.add(detail::column_of_state(s, store.to, space::output));
  }
  int column = 0;
  for (const carried_pair& c : s.carried) {
    const int features = s.equations.inputs[c.input];
    int written = 0;
    for (int begin : loop.stores) written += column <= begin && begin < column + features;
    if (written != 1 || loop.stores.find(column) < 0 || features != body.width) return {};
    column += features;
  }
  for (const carried_pair& c : s.carried) loop.states.add(s.equations.inputs[c.input]);
  return loop;
}

// Can a backend with these limits run the loop, in one block for some rows or in blocks that share its units?
constexpr bool loop_fits(const schedule_view& s, const loop_limits& limits) {
  if (limits == loop_limits{}) return false;
  const loop_body loop = loop_of(s);
  return loop.states.size > 0 && (limits.fits_in_block(loop) || limits.fits_in_blocks(loop));
}

}  // namespace tenon::inline v0_1::ir
