// memory_plan: the place of every value, adjoint, saved value and scratch buffer of a plan in one block of memory. It
// is found at compile time from the live range: the time points at which a value is written first and read last.
#pragma once

#include "tenon/engine/plan/blocks.hpp"
#include "tenon/engine/plan/plan.hpp"
#include "tenon/engine/plan/regions.hpp"

namespace tenon::engine {

// The memory of one operation, as indices into the list of regions; several of a kind are side by side.
struct operation_memory {
  int forward_buffers = 0, backward_buffers = 0;
  int saved = 0;           // outputs of the forward program that the backward program reads
  int states = 0;          // scan: the sequence of each state; streaming: its two places
  int history = 0;         // windows of a stream: the steps that they reach back to
  int numbers = 0;         // of a program: tokens as numbers, and the numbers that an equation adds itself
  int loss_gradient = 0;   // cross_entropy: softmax - onehot; -1: it is the adjoint of the logits
  int next_adjoints = 0;   // scan, backward: the adjoint of each next state
  int adjoints = 0;        // scan, backward: the adjoint of each state
  int carried = 0;         // scan, backward: the adjoint of each final state
  int contributions = 0;   // to adjoints of inputs to which several operations contribute
  int packed = 0;          // its first packed weight
  int table_adjoints = 0;  // training on rows of a table: adjoints of its product and of the table
  int scratch = 0;         // backward
  int end = 0, packed_end = 0;  // after its last region, and its last packed weight
  int forward_block = 1;        // scan: steps that go through all phases at a time; apply: windows
  int backward_block = 1;
  unsigned adds_in_place =
      0;  // bit i: its contribution to input i is added to the adjoint where it is computed

  // The same, counted from its own first region and first packed weight.
  constexpr operation_memory counted_from_first() const {
    operation_memory m = *this;
    for (int* place : {&m.backward_buffers, &m.saved, &m.states, &m.history, &m.loss_gradient,
                       &m.next_adjoints, &m.adjoints, &m.carried, &m.contributions, &m.table_adjoints,
                       &m.numbers, &m.scratch, &m.end, &m.forward_buffers})
      *place -= forward_buffers;
    m.packed = 0, m.packed_end -= packed;
    return m;
  }
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
      first = time_point < first ? time_point : first, last = time_point > last ? time_point : last;
    }
  };
  template <class F>
  static constexpr void for_edges(const operation& op, F f) {
    for (int e : op.in)
      if (e >= 0) f(net.owner(e));
    for (int e : op.out) f(net.owner(e));
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
          if (e >= 0 && !Plan::at_each_step.edge[net.owner(e)])
            keep(e, first_time_point), keep(e, Plan::last_time_point);
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
        m.value[e] = m.regions.add({Plan::rows(e) * net.edges[e].size, ranges[e].first, ranges[e].last});
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
      m.adjoint[e] = m.regions.add({Plan::rows(e) * net.edges[e].size, ranges[e].first, ranges[e].last});
    }
  }

  static constexpr bool writes_gradient_forward(int o) {
    const operation& op = net.operations[o];
    return traits_of(op.kind).makes_gradient && active.differentiated[o] && net.edges[op.in[0]].whole < 0 &&
           active.has_adjoint[op.in[0]] && !Plan::adds_contribution(o, 0);
  }

  template <class Memory>
  static constexpr void add_operation(Memory& m, int o, const operation_needs& needs) {
    add_forward_memory(m, o, needs);
    if (active.differentiated[o]) add_backward_memory(m, o, needs);
    m.operations[o].end = m.regions.size, m.operations[o].packed_end = m.packed.size;
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
    mine.forward_buffers = m.regions.size;
    for (const buffer& b : needs.forward) {
      const bool stays = b.once || b.kept_steps > 0;
      m.regions.add({size_of(b, mine.forward_block, inner, rows), stays ? first_time_point : now,
                     stays ? Plan::last_time_point : now});
    }
    mine.saved = m.regions.size;
    for (const buffer& b : needs.saved) m.regions.add({size_of(b, sequence, inner), now, until});
    mine.states = m.regions.size;
    // Streaming keeps two copies of each state from run to run: one is read and one written, in turn.
    for (int s = 0; s < Plan::states(o); ++s)
      if (Plan::is_stepped(o)) m.regions.add({2 * in_whole_lines(state_row(o, s)), 0, Plan::last_time_point});
      else m.regions.add({(sequence + 1) * state_row(o, s), now, until});
    mine.history = m.regions.size;
    if (const int kept = Plan::kept_windows(o); kept > 0)
      m.regions.add({history_size(kept, net.edges[op.in[0]].size), first_time_point, Plan::last_time_point});
    mine.numbers = m.regions.size;
    for (int e : op.in)
      if (op.program >= 0 && e >= 0 && net.edges[e].is_token()) m.regions.add({Plan::rows(e), now, until});
    for (int n = 0; n < own_inputs(o); ++n)
      m.regions.add({numbers_of(net.programs[op.program], n, o, inner), now, until});
    mine.loss_gradient = writes_gradient_forward(o) ? -1 : m.regions.size;
    if (traits_of(op.kind).makes_gradient && mine.loss_gradient >= 0)
      m.regions.add({Plan::rows(op.in[0]) * net.edges[op.in[0]].size, now, until});
    mine.packed = m.packed.size;
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

    const int rows = needs.by_sequence ? 1 : Plan::batch;
    mine.backward_buffers = m.regions.size;
    for (const buffer& b : needs.backward)
      m.regions.add({size_of(b, mine.backward_block, inner, rows), back, back});
    mine.next_adjoints = m.regions.size;
    for (int s = 0; s < states; ++s)
      m.regions.add({(needs.keeps_next_adjoints[s] ? sequence : 1) * state_row(o, s), back, back});
    mine.adjoints = m.regions.size;
    for (int s = 0; s < states; ++s)
      m.regions.add({(needs.keeps_adjoints[s] ? sequence : 2) * state_row(o, s), back, back});
    mine.carried = m.regions.size;
    for (int s = 0; s < states; ++s) m.regions.add({state_row(o, s), back, back});
    mine.scratch = m.regions.size;
    m.regions.add({needs.scratch, back, back});
    mine.table_adjoints = m.regions.size;
    if (of_table) {  // finished when all shards of a batch have run backward
      m.regions.add({long(Plan::table(o).rows) * Plan::table_columns(o), back, Plan::last_time_point});
      m.regions.add({Plan::table(o).elements(), Plan::last_time_point, Plan::last_time_point});
    }
    mine.contributions = m.regions.size;
    for (int i = 0; i < op.in.size; ++i) {
      const int e = op.in[i];
      const bool in_place = i < needs.adds_in_place.size && needs.adds_in_place[i];
      mine.adds_in_place |= unsigned(in_place) << i;
      const bool requires_adjoint = e >= 0 && active.has_adjoint[net.owner(e)] && !(of_table && i == 0);
      const bool is_private = requires_adjoint && Plan::adds_contribution(o, i) && !in_place;
      m.regions.add({is_private ? Plan::rows(e) * net.edges[e].size : 0, back, back});
    }
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
        return Plan::is_stepped(o) ? Plan::batch : sequence;
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
    m.size = place_regions<Plan::last_time_point>(m.regions);
    return m;
  }
};

}  // namespace detail

template <class Plan>
inline constexpr auto memory_of = detail::memory_layout<Plan>::make();

}  // namespace tenon::engine
