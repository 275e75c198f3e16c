// row_loop: finds time loops of maps and products with transposed matrices only, such as the backward pass through a
// cell. Each row is computed independently, so that a backend can run all steps of some rows as one kernel.
#pragma once

#include "tenon/lowering/stage.hpp"

namespace tenon::inline v0_1::ir {

// The numbers kept of a row from kernel to kernel of such a loop, side by side: the carried values before a step and
// after it, and the buffers that the loop writes.
struct row_loop_body {
  static constexpr int most_carried = 8;
  list<int, 32> kernels{};  // of the loop, in their order; none: it is no such loop
  list<int, 64> buffers{};  // for each buffer the column where it begins; -1: the loop does not write it
  int carried = 0;          // numbers of a row that go from step to step
  int columns = 0;          // all that are kept of a row
  long weights = 0;         // of all products
  int widest = 0;           // units of a map or of a product
};

namespace detail {

constexpr int column_of_carried(const schedule_view& s, const place& p, space in) {
  int before = 0;
  for (const carried_pair& c : s.carried) {
    if (p.in == in && p.index == (in == space::input ? c.input : c.output)) return before + p.column;
    before += s.equations.inputs[c.input];
  }
  return -1;
}
// The column of a place among the numbers kept of a row; -1: it is only in memory.
constexpr int column_in_row(const schedule_view& s, const row_loop_body& loop, const place& p) {
  if (const int old = column_of_carried(s, p, space::input); old >= 0) return old;
  if (const int next = column_of_carried(s, p, space::output); next >= 0) return loop.carried + next;
  if (p.in != space::buffer || loop.buffers[p.index] < 0) return -1;
  return loop.buffers[p.index] + p.column;
}
constexpr bool adds_to_row_loop(const schedule_view& s, row_loop_body& loop, const place& made) {
  if (column_of_carried(s, made, space::output) >= 0 || made.in == space::output) return true;
  if (made.in != space::buffer) return false;
  const buffer& b = s.buffers[made.index];
  if (b.inner || b.once || b.kept_steps > 0) return false;
  if (loop.buffers[made.index] >= 0) return true;
  loop.buffers[made.index] = loop.columns;
  loop.columns += b.width;
  return true;
}
constexpr bool takes_map(const schedule_view& s, row_loop_body& loop, int k) {
  const map_body body = body_of(s, k);
  for (const map_load& l : body.loads)  // an output in memory that this loop may have written
    if (l.from.in == space::output && column_of_carried(s, l.from, space::output) < 0) return false;
  for (const map_store& m : body.stores)
    if (m.reduction != opcode::copy || m.accumulates() || !adds_to_row_loop(s, loop, m.to)) return false;
  if (body.width > loop.widest) loop.widest = body.width;
  return true;
}
constexpr bool takes_product(const schedule_view& s, row_loop_body& loop, const kernel& k) {
  const instruction& i = s.equations.code[k.value];
  const place &from = s.places[i.a], &to = s.places[k.value];
  if (k.of_table || k.neighbours > 0 || column_in_row(s, loop, from) < 0) return false;
  if (to.in == space::output && column_of_carried(s, to, space::output) < 0) return false;
  if (!adds_to_row_loop(s, loop, to)) return false;
  loop.weights += long(i.size) * s.equations.code[i.a].size;
  if (i.size > loop.widest) loop.widest = i.size;
  return true;
}

}  // namespace detail

// The loop of a schedule, if it is of this kind; otherwise the result has no kernels.
constexpr row_loop_body row_loop_of(const schedule_view& s) {
  row_loop_body loop;
  if (s.lanes > 0 || s.buffers.size > loop.buffers.capacity || s.carried.size > loop.most_carried) return {};
  for (const carried_pair& c : s.carried) loop.carried += s.equations.inputs[c.input];
  loop.columns = 2 * loop.carried;
  for (int b = 0; b < s.buffers.size; ++b) loop.buffers.add(-1);
  int products = 0;
  for (int k = 0; k < s.kernels.size; ++k) {
    const kernel& one = s.kernels[k];
    if (one.when != phase::loop) continue;
    const bool is_map = one.kind == kernel_kind::map;
    if (one.runs_along() != dimension::time || one.stage >= 0 || loop.kernels.size == loop.kernels.capacity)
      return {};
    if (is_map ? !detail::takes_map(s, loop, k)
               : one.kind != kernel_kind::matmul_transposed || !detail::takes_product(s, loop, one))
      return {};
    products += !is_map;
    loop.kernels.add(k);
  }
  return products > 0 && loop.carried > 0 ? loop : row_loop_body{};
}

// Can a backend with these limits run the loop?
constexpr bool row_loop_fits(const schedule_view& s, const loop_limits& limits) {
  if (limits == loop_limits{}) return false;
  const row_loop_body loop = row_loop_of(s);
  return loop.kernels.size > 0 && loop.weights <= limits.weights && loop.columns <= limits.columns;
}

}  // namespace tenon::inline v0_1::ir
