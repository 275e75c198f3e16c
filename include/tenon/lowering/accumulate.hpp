// accumulate: which values of a schedule are added up where they are computed, without a separate pass over
// memory.
#pragma once

#include "tenon/lowering/schedule.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {

constexpr bool is_read(const schedule_view& s, int k) {
  bool read = false;
  for (const instruction& i : s.equations.code) for_operands(i, [&](int o) { read = read || o == k; });
  return read;
}
// Is value k computed by a map, and read by `reader` only?
constexpr bool is_made_for(const schedule_view& s, int k, int reader) {
  const program_view& p = s.equations;
  if (s.kernel_of[k] < 0 || s.kernels[s.kernel_of[k]].kind != kernel_kind::map) return false;
  if (!is_elementwise(p.code[k].code) || s.places[k].in != space::buffer) return false;
  bool alone = true;
  for (int u = 0; u < p.code.size; ++u) {
    for_operands(p.code[u], [&](int o) { alone = alone && (o != k || u == reader); });
    alone = alone && (u == k || s.places[u].in != space::buffer || s.places[u].index != s.places[k].index);
  }
  return alone;
}

constexpr bool is_staged(const schedule_view& s, int map) {
  for (const kernel& k : s.kernels)
    if (k.stage == map) return true;
  return false;
}
}  // namespace detail

// The same schedule, in which maps sum their results over time steps, and add to outputs that others have initialized,
// where that is possible. `initialized[n]`: output n has been initialized. in_products: products with a transposed matrix
// can add, too.
constexpr schedule with_accumulation(schedule s, const list<bool, max_program_outputs>& initialized,
                                     bool in_products = false) {
  const program_view& p = s.equations;
  for (int n = 0; n < initialized.size; ++n) {
    const int k = p.outputs[n];
    if (!initialized[n] || s.kernel_of[k] < 0 || detail::is_read(s, k)) continue;
    const kernel& by = s.kernels[s.kernel_of[k]];
    const bool is_map = by.kind == kernel_kind::map && is_elementwise(p.code[k].code);
    const bool is_product = by.kind == kernel_kind::matmul_transposed && in_products;
    if ((is_map || is_product) && by.when != phase::loop) s.accumulates[k] = accumulation::add;
  }
  for (kernel& sum : s.kernels) {
    if (sum.kind != kernel_kind::axis_sum && sum.kind != kernel_kind::accumulate) continue;
    const int k = p.code[sum.value].a, output = p.outputs.find(sum.value);
    if (!detail::is_made_for(s, k, sum.value) || s.kernels[s.kernel_of[k]].when != sum.when) continue;
    if (detail::is_staged(s, s.kernel_of[k])) continue;
    const bool add =
        output >= 0 && output < initialized.size && initialized[output] && !detail::is_read(s, sum.value);
    s.buffers[s.places[k].index].width = 0;
    s.places[k] = s.places[sum.value];
    if (sum.kind == kernel_kind::accumulate) s.accumulates[k] = accumulation::add;
    else s.accumulates[k] = add ? accumulation::add_steps : accumulation::sum_steps;
    sum.when = phase::none;
  }
  return s;
}

// Does the schedule add to output n instead of overwriting it?
constexpr bool adds_to_output(const schedule_view& s, int n) {
  const int k = s.equations.outputs[n];
  if (s.equations.code[k].code != opcode::axis_sum) return s.accumulates[k] == accumulation::add;
  return s.accumulates[s.equations.code[k].a] == accumulation::add_steps;
}

// Can some time steps go through all kernels before the next steps? Not if rows of all steps are multiplied
// together, nor if a sum over all steps is read again.
constexpr bool runs_in_blocks(const schedule_view& s) {
  bool may = s.kernels.size > 0;
  for (const kernel& k : s.kernels)
    may = may && (k.when == phase::none ||
                  (k.when != phase::once && k.kind == kernel_kind::map && k.over == domain::rows));
  for (int k = 0; k < s.equations.code.size; ++k)
    if (s.equations.code[k].code == opcode::axis_sum)
      may = may && s.kernels[s.kernel_of[k]].when == phase::none && !detail::is_read(s, k);
  return may;
}

// Can a time loop take some steps through all phases before the next steps? Then the buffers between phases need room
// for these steps only. Not if something happens once for all steps.
constexpr bool loops_in_blocks(const schedule_view& s) {
  bool may = true;
  for (const kernel& k : s.kernels) may = may && (k.when == phase::loop || k.over == domain::rows);
  for (const instruction& i : s.equations.code) may = may && !is_over_axis(i.code);
  return may;
}

}  // namespace tenon::inline v0_1::ir
