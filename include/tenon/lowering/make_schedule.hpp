// make_schedule: cuts a program into kernels, and finds a place for every value that needs memory.
//
// A program with carried pairs (an output that the next time step reads as an input) is a time loop of three
// phases. Within a phase, all elementwise work between two contractions is one fused kernel.
#pragma once

#include "tenon/equation/rewrite.hpp"
#include "tenon/lowering/owners.hpp"
#include "tenon/lowering/recognise.hpp"
#include "tenon/lowering/schedule.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {

struct scheduling {
  schedule result;
  phases when{};
  int slot[max_instructions]{};

  constexpr const program& p() const { return result.equations; }
  constexpr const instruction& at(int k) const { return p().code[k]; }
  constexpr int size() const { return p().code.size; }

  constexpr scheduling(const program_view& program, const carried_pairs& carried, long loop_weights,
                       bool once) {
    for (const instruction& i : program.code) {
      if (i.code == opcode::pair_dot) result.lanes = i.size / i.count;
      if (i.code == opcode::pair_sum) result.lanes = program.code[i.a].size / i.count;
    }
    result.equations = give_places_owners(with_weighted_sums(program));
    const auto size_of_all = [&](auto&... lists) { (..., (lists.size = size())); };
    size_of_all(result.domains, result.inlined, result.places, result.kernel_of, result.accumulates);
    result.carried = carried;
    auto& domains = result.domains;
    for (int k = 0; k < size(); ++k) domains[k] = domain_of(p().varies, at(k), domains.begin());
    for (int k = 0; k < size(); ++k)  // the copies of a part that is repeated for every row
      if (at(k).code == opcode::concat) domains[at(k).a] = domains[at(k).b] = domains[k];
    find_inlined();
    when = phases_of(p(), domains.begin(), carried, loop_weights);
    if (once) move_before_steps(when, p(), domains.begin());
    assign_slots();
    make_kernels();
    assign_places();
  }

  // Elementwise arithmetic of size 1 on nothing but inputs, symbols and numbers costs less to repeat than to store.
  constexpr void find_inlined() {
    for (int k = 0; k < size(); ++k) {
      bool single = is_elementwise(at(k).code) && at(k).size == 1 && p().outputs.find(k) < 0;
      for_operands(at(k), [&](int o) { single = single && at(o).size == 1 && is_free(o); });
      for (int u = k + 1; u < size() && single; ++u)
        for_operands(at(u), [&](int o) { single = single && (o != k || is_mapped(at(u).code)); });
      result.inlined[k] = single;
    }
  }
  constexpr bool is_free(int k) const {
    return is_leaf(at(k).code) || result.inlined[k];
  }  // needs no kernel of its own

  // --- order within a phase: maps run in even slots, contractions in odd ones ---
  constexpr int lane(int k) const {
    return at(k).code == opcode::row_sum || at(k).code == opcode::row_max ? at(at(k).a).size : at(k).size;
  }
  constexpr domain over(int k) const {
    return result.domains[k] == domain::free ? domain::rows : result.domains[k];
  }
  constexpr bool fusible(int producer, int reader) const {
    return is_elementwise(at(producer).code) && is_mapped(at(reader).code) &&
           when[producer] == when[reader] && lane(producer) == lane(reader) && over(producer) == over(reader);
  }
  constexpr void assign_slots() {
    for (int k = 0; k < size(); ++k) {
      const opcode code = at(k).code;
      if (is_free(k)) continue;
      int earliest = is_heavy(code) ? 1 : 0;
      for_operands(at(k), [&](int o) {
        if (is_free(o) || when[o] != when[k]) return;
        int next = slot[o] + 1;
        if (is_alias(code)) next = slot[o];
        else if (fusible(o, k)) next = slot[o];
        else if ((next % 2 == 1) != is_heavy(code)) ++next;
        if (next > earliest) earliest = next;
      });
      slot[k] = earliest;
    }
    for (int k = size() - 1; k >= 0; --k) slot[k] = later_slot(k);
  }
  // A value computed only from memory moves to the kernel that reads it, and needs no memory of its own.
  constexpr int later_slot(int k) const {
    bool moves = is_elementwise(at(k).code) && !is_free(k) && p().outputs.find(k) < 0;
    for_operands(at(k), [&](int o) { moves = moves && is_free(o); });
    int first = -1;
    for (int u = k + 1; u < size() && moves; ++u)
      for_operands(at(u), [&](int o) {
        if (o != k) return;
        moves = moves && fusible(k, u);
        first = first < 0 || slot[u] < first ? slot[u] : first;
      });
    return moves && first > slot[k] ? first : slot[k];
  }

  // --- kernels, in execution order ---
  constexpr void make_kernels() {
    for (short& k : result.kernel_of) k = -1;
    int last = 0;
    for (int k = 0; k < size(); ++k) last = slot[k] > last ? slot[k] : last;
    for (phase f : {phase::once, phase::before, phase::loop, phase::after})
      for (int s = 0; s <= last; ++s)
        for (int k = 0; k < size(); ++k)
          if (when[k] == f && slot[k] == s && !is_free(k) && !is_alias(at(k).code)) add_to_kernel(k, f, s);
  }
  constexpr kernel_kind kernel_kind_of(int k) const {
    switch (at(k).code) {
      case opcode::matmul:
        return kernel_kind::matmul;
      case opcode::matmul_transposed:
        return kernel_kind::matmul_transposed;
      case opcode::gradient_outer:
        return kernel_kind::gradient_outer;
      case opcode::gradient_sum:
        return kernel_kind::gradient_sum;
      case opcode::weighted_sum:
        return kernel_kind::weighted_sum;
      case opcode::pair_dot:
        return kernel_kind::pair_dots;
      case opcode::pair_sum:
        return axis_of(at(k)) == dimension::inner ? kernel_kind::pair_sums : kernel_kind::pair_sums_over_time;
      case opcode::to_lanes:
        return kernel_kind::to_lanes;
      case opcode::as_features:
        return kernel_kind::as_features;
      case opcode::from_features:
        return kernel_kind::from_features;
      case opcode::keep:
        return kernel_kind::keep;
      case opcode::earlier:
        return kernel_kind::earlier;
      case opcode::axis_sum:
        return adds_up_in_loop(at(k), result.domains.begin()) ? kernel_kind::accumulate
                                                              : kernel_kind::axis_sum;
      default:
        return kernel_kind::over_axis;
    }
  }
  constexpr void add_to_kernel(int k, phase f, int s) {
    if (is_mapped(at(k).code)) {
      for (int n = 0; n < result.kernels.size; ++n) {
        const kernel& other = result.kernels[n];
        if (other.kind == kernel_kind::map && other.when == f && other.slot == s && other.width == lane(k) &&
            other.over == over(k)) {
          result.kernel_of[k] = static_cast<short>(n);
          return;
        }
      }
      result.kernel_of[k] = static_cast<short>(result.kernels.add(
          {.kind = kernel_kind::map, .when = f, .over = over(k), .width = lane(k), .slot = s}));
      return;
    }
    const kernel_kind kind = kernel_kind_of(k);
    const bool is_of_result = kind == kernel_kind::matmul || kind == kernel_kind::matmul_transposed ||
                              kind == kernel_kind::pair_dots || kind == kernel_kind::from_features ||
                              kind == kernel_kind::earlier;
    result.kernel_of[k] = static_cast<short>(result.kernels.add(
        {.kind = kind, .when = f, .over = over(is_of_result ? k : int(at(k).a)), .value = k, .slot = s}));
  }

  // --- places ---
  constexpr bool leaves_its_kernel(int k) const {
    if (!is_elementwise(at(k).code)) return true;
    bool leaves = false;
    for (int u = k + 1; u < size() && !leaves; ++u)
      for_operands(at(u),
                   [&](int o) { leaves = leaves || (o == k && result.kernel_of[u] != result.kernel_of[k]); });
    return leaves;
  }
  // Is value k, or a part of it, written or read outside the loop?
  constexpr bool is_used_outside(int k) const {
    bool outside = when[k] != phase::loop;
    if (at(k).code == opcode::concat)
      outside = outside || is_used_outside(at(k).a) || is_used_outside(at(k).b);
    for (int u = k + 1; u < size() && !outside; ++u)
      for_operands(at(u), [&](int o) {
        const bool is_slice = is_alias(at(u).code) && at(u).code != opcode::concat;
        if (o == k) outside = outside || when[u] != phase::loop || (is_slice && is_used_outside(u));
      });
    return outside;
  }
  // Is value k, or a part of it or a value that contains it?
  constexpr bool crosses_the_loop(int k) const {
    bool crosses = is_used_outside(k);
    for (int u = k + 1; u < size() && !crosses; ++u)
      for_operands(at(u), [&](int o) {
        if (o == k) crosses = crosses || (at(u).code == opcode::concat && crosses_the_loop(u));
      });
    return crosses;
  }
  // Is value k, or a part of it, computed once?
  constexpr bool holds_once(int k) const {
    return when[k] == phase::once ||
           (at(k).code == opcode::concat && (holds_once(at(k).a) || holds_once(at(k).b)));
  }
  constexpr place in_new_buffer(int k) {
    const bool all_rows = has_axis(over(k), dimension::time) && crosses_the_loop(k);
    const bool inner = has_axis(over(k), dimension::inner);
    const domain rows = (all_rows ? domain::rows : domain::batch) | (inner ? domain::inner : domain::batch);
    const int kept_steps = at(k).code == opcode::keep ? static_cast<int>(at(k).number) : 0;
    const int index = result.buffers.add({at(k).size, all_rows, inner, holds_once(k), kept_steps});
    return {space::buffer, index, 0, at(k).size, rows};
  }
  constexpr void assign_places() {
    for (int o = 0; o < p().outputs.size; ++o)
      result.places[p().outputs[o]] = {space::output, o, 0, at(p().outputs[o]).size, over(p().outputs[o])};
    for (int k = size() - 1; k >= 0; --k) {  // a concat tells its parts where to write
      if (at(k).code != opcode::concat) continue;
      place& whole = result.places[k];
      if (whole.in == space::none) whole = in_new_buffer(k);
      result.places[at(k).a] = whole;
      place& right = result.places[at(k).b];
      right = whole;
      right.column += at(at(k).a).size;
    }
    for (int k = 0; k < size(); ++k) {
      place& mine = result.places[k];
      const instruction& i = at(k);
      if (mine.in != space::none || i.code == opcode::constant || i.size == 0 || result.inlined[k]) continue;
      if (i.code == opcode::input) mine = {space::input, i.first, 0, i.size, over(k)};
      else if (i.code == opcode::vector) mine = {space::parameter, i.first, 0, 0};
      else if (i.code == opcode::slice) {
        mine = result.places[i.a];
        mine.column += i.first;
      } else if (i.code == opcode::turn) {
        mine = result.places[i.a];
        mine.rows = over(k);
      } else if (leaves_its_kernel(k)) mine = in_new_buffer(k);
    }
  }
};

}  // namespace detail

// loop_weights: a loop of no more weights than this keeps the products of its inputs. once: values without a time axis
// are computed in a phase of their own.
constexpr schedule make_schedule(const program_view& p, const carried_pairs& carried, long loop_weights = 0,
                                 bool once = false) {
  return detail::scheduling(p, carried, loop_weights, once).result;
}

}  // namespace tenon::inline v0_1::ir
