// memory_plan: the place of every value, adjoint, saved value and scratch buffer of a plan in one block of memory. It
// is found at compile time from the live range: the time points at which a value is written first and read last.
#pragma once

#include "tenon/engine/plan/blocks.hpp"
#include "tenon/engine/plan/plan.hpp"
#include "tenon/engine/plan/regions.hpp"

namespace tenon::inline v0_1::engine {

// The memory of one operation: its part of the list of regions, and of the packed weights.
struct operation_memory {
  int first_region = 0, regions = 0;
  int first_packed = 0, packed = 0;
  int forward_block = 1;  // scan: steps that go through all phases at a time; apply: windows
  int backward_block = 1;
  // Bit i: its contribution to input i is added to the adjoint where it is computed.
  unsigned adds_in_place = 0;
};

template <int Edges, int Operations, int Regions, int Packed>
struct memory_plan {
  operation_memory operations[Operations > 0 ? Operations : 1]{};
  int value[Edges > 0 ? Edges : 1]{};  // regions of the edges that own memory, -1: none
  int adjoint[Edges > 0 ? Edges : 1]{};
  list<region, Regions> regions{};
  list<long, Packed> packed{};  // offsets of packed weights; their own block
  long size = 0, packed_size = 0;
  long weights_size = 0;  // elements of all packed weights, without products of tables and padding
  long own_size = 0;      // of the memory that each thread has for itself where several share a kernel

  constexpr list_view<region> regions_of(int operation) const {
    return {regions.begin() + operations[operation].first_region, operations[operation].regions};
  }
  // Null if the operation has no such region.
  constexpr const region* find(int operation, region_kind kind, int number = 0) const {
    for (const region& r : regions_of(operation))
      if (r.kind == kind && r.number == number) return &r;
    return nullptr;
  }
};

namespace detail {

template <class Plan>
struct memory_layout {
  static constexpr const auto& net = Plan::net;
  static constexpr const auto& active = Plan::active;
  static constexpr int edges = net.edges.size, operations = net.operations.size;
  // Values that a stream computes once are live from here on; states from before, so that those of layers are adjacent.
  static constexpr int first_time_point = Plan::forward_time_point(0);
  static constexpr int after_forward = Plan::forward_time_point(operations);

  struct live_range {
    int first = Plan::last_time_point, last = 0;
    constexpr void touch(int time_point) {
      first = time_point < first ? time_point : first;
      last = time_point > last ? time_point : last;
    }
  };
  template <class F>
  static constexpr void for_edges(const operation& op, F f) {
    for (int e : op.in)
      if (e >= 0) f(net.owner(e));
    for (int e : op.out) f(net.owner(e));
  }

  template <class Memory>
  static constexpr int add_edge(Memory& m, region_kind kind, int e, const live_range& range) {
    return m.regions.add({Plan::rows(e) * net.edges[e].size, range.first, range.last, kind, e});
  }
  // Adds a region of operation o. Those of a kind are added one after the other, and numbered in this order.
  template <class Memory>
  static constexpr void add(Memory& m, int o, region_kind kind, long size, int first, int last) {
    operation_memory& mine = m.operations[o];
    const bool is_first = mine.regions == 0 || m.regions.last().kind != kind;
    m.regions.add({size, first, last, kind, is_first ? 0 : m.regions.last().number + 1});
    ++mine.regions;
  }
  template <class Memory>
  static constexpr void add_values(Memory& m) {
    live_range ranges[edges + 1]{};
    const auto keep = [&](int e, int time_point) { ranges[net.owner(e)].touch(time_point); };
    for (int e : net.inputs)
      keep(e, 0), keep(e, Plan::last_time_point);  // inputs stay until they are given again
    for (int e : net.outputs) keep(e, Plan::last_time_point);
    for (int e : net.losses) keep(e, Plan::last_time_point);
    for (int o = 0; o < operations; ++o)
      if (active.alive[o])
        for_edges(net.operations[o], [&](int e) {
          ranges[e].touch(Plan::forward_time_point(o));
          if (active.differentiated[o]) ranges[e].touch(Plan::backward_time_point(o));
        });
    for (int o = 0; o < operations; ++o)  // what a stream computes once is live at every step
      if (active.alive[o] && Plan::at_each_step.operation[o])
        for (int e : net.operations[o].in)
          if (e >= 0 && !Plan::at_each_step.edge[net.owner(e)]) {
            keep(e, first_time_point);
            keep(e, Plan::last_time_point);
          }
    for (int e : net.outputs)
      if (Plan::streaming && !Plan::at_each_step.edge[net.owner(e)]) keep(e, first_time_point);
    for (int o = 0; o < operations; ++o) {
      if (Plan::is_table_alone(o)) ranges[net.operations[o].out[0]] = {};
      const bool is_program = net.operations[o].program >= 0;
      for (int i = 1; i < net.operations[o].out.size && is_program; ++i)  // not read: a final state
        if (const int e = net.operations[o].out[i]; !active.is_read[net.owner(e)]) ranges[net.owner(e)] = {};
    }
    for (int e = 0; e < edges; ++e)
      if (net.edges[e].whole < 0 && !net.edges[e].is_token() && ranges[e].last > 0)
        m.value[e] = add_edge(m, region_kind::value, e, ranges[e]);
  }

  // An adjoint is live from the last operation that reads the edge to the first that writes it.
  // If several operations or the caller add to it, it is live when the backward pass begins.
  template <class Memory>
  static constexpr void add_adjoints(Memory& m) {
    live_range ranges[edges + 1]{};
    for (int o = 0; o < operations; ++o) {
      if (!active.differentiated[o]) continue;
      for_edges(net.operations[o], [&](int e) { ranges[e].touch(Plan::backward_time_point(o)); });
    }
    for (int e : net.outputs)
      if (net.losses.empty()) ranges[net.owner(e)].touch(after_forward);
    for (int e : net.inputs) ranges[e].touch(Plan::last_time_point);  // read by the caller
    bool is_looked_up[edges + 1]{};
    for (int o = 0; o < operations; ++o)
      if (Plan::is_table_alone(o)) is_looked_up[net.operations[o].out[0]] = true;
    for (int e = 0; e < edges; ++e) {
      if (net.edges[e].whole >= 0 || !active.has_adjoint[e] || is_looked_up[e]) continue;
      if (Plan::sums[e].has_several && Plan::sums[e].first_operation < 0) ranges[e].touch(after_forward);
      for (int o = 0; o < operations; ++o)  // the loss writes the gradient while it runs forward
        if (writes_gradient_forward(o) && net.owner(net.operations[o].in[0]) == e)
          ranges[e].touch(Plan::forward_time_point(o));
      m.adjoint[e] = add_edge(m, region_kind::adjoint, e, ranges[e]);
    }
  }

  static constexpr bool writes_gradient_forward(int o) {
    const operation& op = net.operations[o];
    return traits_of(op.kind).makes_gradient && active.differentiated[o] && net.edges[op.in[0]].whole < 0 &&
           active.has_adjoint[op.in[0]] && !Plan::adds_contribution(o, 0);
  }

  template <class Memory>
  static constexpr void add_operation(Memory& m, int o, const operation_needs& needs) {
    m.operations[o].first_region = m.regions.size;
    add_forward_memory(m, o, needs);
    if (active.differentiated[o]) add_backward_memory(m, o, needs);
  }
  static constexpr long size_of(const buffer& b, long steps, long inner_steps, int rows = Plan::batch) {
    if (b.kept_steps > 0) return history_size(b.kept_steps, b.width);
    return long(b.width) * rows * (b.all_rows ? steps : 1) * (b.inner ? inner_steps : 1);
  }
  // Includes room for the rows of one step, which is used to reorder them.
  static constexpr long history_size(int steps, int width) { return long(steps + 1) * Plan::batch * width; }
  static constexpr long state_row(int o, int s) {
    return long(Plan::batch) * net.edges[net.operations[o].out[1 + s]].size;
  }
  template <class Memory>
  static constexpr void add_forward_memory(Memory& m, int o, const operation_needs& needs) {
    const operation& op = net.operations[o];
    operation_memory& mine = m.operations[o];
    const int now = Plan::forward_time_point(o);
    const int until = active.differentiated[o] ? Plan::backward_time_point(o) : now;
    const long sequence = Plan::steps_of(o), inner = Plan::inner_steps_of(o);
    const bool is_loop = traits_of(op.kind).is_loop;
    const auto steps_of = [&](bool in_blocks, long taken, const auto& buffers) {
      return is_loop && in_blocks ? steps_at_once(taken, buffers, sequence, Plan::batch) : int(sequence);
    };
    const long together = Plan::can.numbers_in_block,
               of_loop = needs.loop_numbers > 0 ? needs.loop_numbers : together;
    mine.forward_block = steps_of(needs.forward_in_blocks, of_loop, needs.forward);
    mine.backward_block = steps_of(needs.backward_in_blocks, together, needs.backward);
    if (const int width = needs.windows_in_blocks; width > 0)
      mine.forward_block = windows_in_block(net.axes[Plan::axis(o)].grid, Plan::batch, width);
    const int rows = needs.by_sequence ? 1 : Plan::batch;
    for (const buffer& b : needs.forward) {
      const bool stays = b.once || b.kept_steps > 0;
      add(m, o, region_kind::forward_buffer, size_of(b, mine.forward_block, inner, rows),
          stays ? first_time_point : now, stays ? Plan::last_time_point : now);
    }
    for (const buffer& b : needs.saved)
      add(m, o, region_kind::saved, size_of(b, sequence, inner), now, until);
    // Streaming keeps two copies of each state from run to run: one is read and one written, in turn. Those of the steps
    // of a block are behind them.
    const long in_block = Plan::block > 1 ? sequence + 1 : 0;
    for (int s = 0; s < Plan::states(o); ++s)
      if (Plan::is_stepped(o))
        add(m, o, region_kind::state, 2 * in_whole_lines(state_row(o, s)) + in_block * state_row(o, s), 0,
            Plan::last_time_point);
      else add(m, o, region_kind::state, (sequence + 1) * state_row(o, s), now, until);
    if (const int kept = Plan::kept_windows(o); kept > 0)
      add(m, o, region_kind::history, history_size(kept, net.edges[op.in[0]].size), first_time_point,
          Plan::last_time_point);
    for (int e : op.in)
      if (op.program >= 0 && e >= 0 && net.edges[e].is_token())
        add(m, o, region_kind::number, Plan::rows(e), now, until);
    for (int n = 0; n < own_inputs(o); ++n)
      add(m, o, region_kind::number, numbers_of(net.programs[op.program], n, o, inner), now, until);
    if (traits_of(op.kind).makes_gradient && !writes_gradient_forward(o))
      add(m, o, region_kind::loss_gradient, Plan::rows(op.in[0]) * net.edges[op.in[0]].size, now, until);
    mine.first_packed = m.packed.size;
    mine.packed = needs.packed.size;
    for (int k = 0; k < needs.packed.size; ++k) {
      m.packed.add(m.packed_size);
      m.packed_size += in_whole_lines(needs.packed[k]);
      const bool is_product_of_table = Plan::tables[o] >= 0 && k + 1 == needs.packed.size;
      m.weights_size += is_product_of_table ? 0 : needs.packed[k];
    }
  }
  template <class Memory>
  static constexpr void add_backward_memory(Memory& m, int o, const operation_needs& needs) {
    const operation& op = net.operations[o];
    operation_memory& mine = m.operations[o];
    const int back = Plan::backward_time_point(o), states = Plan::states(o);
    const long sequence = Plan::steps_of(o), inner = Plan::inner_steps_of(o);
    const bool of_table = Plan::tables[o] >= 0;
    const auto add_back = [&](region_kind kind, long size) { add(m, o, kind, size, back, back); };

    const int rows = needs.by_sequence ? 1 : Plan::batch;
    for (const buffer& b : needs.backward)
      add_back(region_kind::backward_buffer, size_of(b, mine.backward_block, inner, rows));
    for (int s = 0; s < states; ++s)
      add_back(region_kind::next_adjoint, (needs.keeps_next_adjoints[s] ? sequence : 1) * state_row(o, s));
    for (int s = 0; s < states; ++s)
      add_back(region_kind::state_adjoint, (needs.keeps_adjoints[s] ? sequence : 2) * state_row(o, s));
    for (int s = 0; s < states; ++s) add_back(region_kind::carried_adjoint, state_row(o, s));
    add_back(region_kind::scratch, needs.scratch);
    if (of_table) {  // finished when all shards of a batch have run backward
      const int end = Plan::last_time_point;
      add(m, o, region_kind::product_adjoint, long(Plan::table(o).rows) * Plan::table_columns(o), back, end);
      add(m, o, region_kind::table_adjoint, Plan::table(o).elements(), end, end);
    }
    for (int i = 0; i < op.in.size; ++i) {
      const int e = op.in[i];
      const bool in_place = i < needs.adds_in_place.size && needs.adds_in_place[i];
      mine.adds_in_place |= unsigned(in_place) << i;
      const bool requires_adjoint = e >= 0 && active.has_adjoint[net.owner(e)] && !(of_table && i == 0);
      const bool is_private = requires_adjoint && Plan::adds_contribution(o, i) && !in_place;
      add_back(region_kind::contribution, is_private ? Plan::rows(e) * net.edges[e].size : 0);
    }
  }

  // What a thread needs for itself: scratch of a product, the buffers of a sequence, or the losses of all rows.
  static constexpr long own_size(int o, const operation_needs& needs) {
    constexpr long numbers_of_loss =
        (sizeof(double) + sizeof(typename Plan::scalar) - 1) / sizeof(typename Plan::scalar);
    if (net.operations[o].program < 0) return numbers_of_loss * Plan::batch * Plan::steps_of(o);
    long largest = needs.scratch;
    for (const auto* buffers : {&needs.forward, &needs.backward}) {
      long size = 0;
      for (const buffer& b : *buffers)
        size += in_whole_lines(size_of(b, Plan::steps_of(o), Plan::inner_steps_of(o), 1));
      if (needs.by_sequence) largest = std::max(largest, size);
    }
    return largest;
  }
  static constexpr long numbers_of(const program_view& p, int own, int o, long inner) {
    const int features = p.inputs[p.inputs.size - p.own.size + own];
    const long sequence = Plan::steps_of(o);
    switch (p.own[own].kind) {
      case own_input::count:
        return features;
      case own_input::noise:
        return sequence * Plan::batch * features;
      case own_input::noise_of_sequence:
        return long(Plan::batch) * features;
      case own_input::position:
        return Plan::is_stepped(o) ? sequence * Plan::batch : sequence;
      case own_input::inner_position:
        return inner;
      default:
        return Plan::batch;
    }
  }
  static constexpr int own_inputs(int o) {  // that an equation adds itself
    const operation& op = net.operations[o];
    return op.program >= 0 ? net.programs[op.program].own.size : 0;
  }
  static constexpr auto make() {
    constexpr auto needs = []<int... O>(std::integer_sequence<int, O...>) {
      return list<operation_needs, static_cast<int>(sizeof...(O))>{Plan::template needs_of<O>()...};
    }
    (std::make_integer_sequence<int, operations>{});
    constexpr int regions = [](const auto& all) {
      int n = 2 * edges;
      for (int o = 0; o < all.size; ++o)
        n += all[o].forward.size + all[o].backward.size + all[o].saved.size + 4 * Plan::states(o) + 7 +
             2 * net.operations[o].in.size + own_inputs(o);
      return n;
    }(needs);
    constexpr int packed = [](const auto& all) {
      int n = 0;
      for (int o = 0; o < all.size; ++o) n += all[o].packed.size;
      return n;
    }(needs);
    memory_plan<edges, operations, regions, packed> m;
    for (int e = 0; e < edges; ++e) m.value[e] = m.adjoint[e] = -1;
    add_values(m);
    if (Plan::training) add_adjoints(m);
    for (int o = 0; o < operations; ++o)
      if (active.alive[o]) add_operation(m, o, needs[o]);
    for (int o = 0; o < operations && Plan::shares_kernels; ++o)
      if (active.alive[o] && Plan::lowerings[o].shared)
        m.own_size = std::max(m.own_size, own_size(o, needs[o]));
    m.size = place_regions<Plan::last_time_point>(m.regions);
    return m;
  }
};

}  // namespace detail

template <class Plan>
inline constexpr auto memory_of = detail::memory_layout<Plan>::make();

}  // namespace tenon::inline v0_1::engine
