// executor: the operations of a plan, forward and backward, on one block of memory. It allocates nothing and checks
// nothing: sessions own the memory and validate what users give.
//
// Padding: values and adjoints of sequences are zero past each row's end. Of an edge without a time axis only the rows that
// were given are computed; the others hold anything, and no sum over rows includes them.
#pragma once

#include <cstdint>

#include "tenon/engine/memory_plan.hpp"
#include "tenon/engine/run_program.hpp"

namespace tenon::engine {

template <class Plan>
class executor {
 public:
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch;
  static constexpr int operations = net.operations.size;

  // What a run works on. All pointers are set by the session.
  struct context {
    T* memory = nullptr;              // memory_of<Plan>.size elements
    T* packed = nullptr;              // memory_of<Plan>.packed_size elements
    const int* const* tokens = nullptr;   // by edge: [time?, B]; negative: padding
    const int* const* lengths = nullptr;  // by time axis: [B]
    const int* steps = nullptr;           // by time axis: the longest length
    const int* full_steps = nullptr;      // by time axis: the shortest length; no row ends before it
    int rows = B;                     // given, at most B; the lengths of the others are 0
    T* const* carried = nullptr;          // streaming, by carried state: [B, hidden]
    bool starts = true;                   // streaming: the first step of a sequence, on initial states
    std::uint64_t seed = 0;           // dropout
    std::uint64_t step = 0;
    T loss = 0;
    const T* parameters = nullptr;
    T* gradients = nullptr;           // differentiation: what the backward pass adds to
  };

  explicit executor(context& given) : c(given) {}

  static constexpr int carried_states = [] {  // streaming: states that live from one run to the next
    int n = 0;
    for (int o = 0; o < operations; ++o)
      if (Plan::active.alive[o]) n += Plan::states(o);
    return n;
  }();

  void pack() {
    each_operation([&]<int O>() { pack_operation<O>(); });
  }
  void forward() {
    each_operation([&]<int O>() { forward_operation<O>(); });
  }
  // Runs forward and calls seen(operation, values, count, row, row_stride) after each operation's outputs.
  template <class Seen>
  void forward_watched(Seen seen) {
    each_operation([&]<int O>() {
      forward_operation<O>();
      static constexpr const operation& op = net.operations[O];
      constexpr int e = op.out[0];
      if constexpr (memory_of<Plan>.value[net.owner(e)] >= 0) {
        const binding<T> y = value<e>();
        const long rows = op.what == work::cross_entropy ? 1 : net.edges[e].axis < 0 && net.edges[e].slabs == 1 ? c.rows : long(steps_of<e>()) * B;
        seen(op.path.view(), y.data, rows, net.edges[e].size, y.row);
      } else if constexpr (op.what == work::cross_entropy) {
        seen(op.path.view(), &c.loss, 1L, 1, std::ptrdiff_t(1));
      }
    });
  }
  // Adjoints of the outputs (or of the loss, which is 1) to gradients of parameters and inputs.
  void backward() {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (
          [&] {
            constexpr int O = operations - 1 - I;
            if constexpr (Plan::active.differentiated[O]) backward_operation<O>();
          }(),
          ...);
    }(std::make_integer_sequence<int, operations>{});
  }
  // Adjoints that several operations add to start at zero.
  void clear_adjoints(bool also_outputs) {
    [&]<int... E>(std::integer_sequence<int, E...>) {
      (
          [&] {
            if constexpr (memory_of<Plan>.adjoint[E] >= 0)
              if (memory_of<Plan>.accumulates[E] || (also_outputs && net.is_output(E)))
                for (long k = 0; k < memory_of<Plan>.regions[memory_of<Plan>.adjoint[E]].size; ++k) at(memory_of<Plan>.adjoint[E])[k] = T(0);
          }(),
          ...);
    }(std::make_integer_sequence<int, net.edges.size>{});
  }

  // Rows of an edge's value and adjoint. A slab or some columns of another edge are found there.
  template <int E>
  binding<T> value() const {
    return rows_of<E>(at(memory_of<Plan>.value[net.owner(E)]));
  }
  template <int E>
  binding<T> adjoint() const {
    return rows_of<E>(at(memory_of<Plan>.adjoint[net.owner(E)]));
  }
  template <int E>
  int steps_of() const {
    if constexpr (net.edges[E].axis < 0) return net.edges[E].slabs;
    else return c.steps[net.edges[E].axis];
  }

 private:
  context& c;

  template <class F>
  void each_operation(F f) {
    [&]<int... O>(std::integer_sequence<int, O...>) {
      (
          [&] {
            if constexpr (Plan::active.alive[O]) f.template operator()<O>();
          }(),
          ...);
    }(std::make_integer_sequence<int, operations>{});
  }

  T* at(int region) const { return c.memory + memory_of<Plan>.regions[region].offset; }

  template <int E>
  binding<T> rows_of(T* base) const {
    constexpr std::ptrdiff_t row = net.edges[net.owner(E)].size;
    constexpr std::ptrdiff_t offset = [] {
      std::ptrdiff_t n = 0;
      for (int e = E; net.edges[e].whole >= 0; e = net.edges[e].whole)
        n += net.edges[e].column + std::ptrdiff_t(net.edges[e].slab) * B * net.edges[net.owner(E)].size;
      return n;
    }();
    return {base + offset, row, net.edges[E].axis < 0 ? 0 : row * B};
  }
  // Steps of the sequence that operation O walks: those of its input with a time axis.
  template <int O>
  static constexpr int axis_of() {
    for (int e : net.operations[O].in)
      if (e >= 0 && net.edges[e].axis >= 0) return net.edges[e].axis;
    return -1;
  }
  template <int O>
  int walked() const {
    if constexpr (axis_of<O>() < 0) return 1;
    else return c.steps[axis_of<O>()];
  }
  template <int E>
  static constexpr bool has_adjoint() {
    if constexpr (E < 0) return false;
    else return Plan::active.has_adjoint[net.owner(E)];
  }

  // --- contributions to adjoints -----------------------------------------------------------------------------------------------
  // Where operation O writes its share of the adjoint of its input I: the adjoint itself where it is the only one.
  template <int O, int I>
  binding<T> contribution() const {
    constexpr int e = net.operations[O].in[I];
    if constexpr (!memory_of<Plan>.accumulates[net.owner(e)]) {
      return adjoint<e>();
    } else {
      constexpr std::ptrdiff_t row = net.edges[e].size;
      return {at(memory_of<Plan>.operations[O].contributions + I), row, net.edges[e].axis < 0 ? 0 : row * B};
    }
  }
  template <int O, int I>
  void clear_contribution() {
    constexpr int e = net.operations[O].in[I];
    if constexpr (has_adjoint<e>()) {
      const binding<T> mine = contribution<O, I>();
      clear_past_end<e>(mine);
    }
  }
  // Zeros where rows of sequence E have ended.
  template <int E>
  void clear_past_end(const binding<T>& b) {
    if constexpr (net.edges[E].axis >= 0) {
      constexpr int axis = net.edges[E].axis;
      if (c.full_steps[axis] < c.steps[axis])
        backend::clear_past_end<net.edges[E].size>(Backend{}, c.steps[axis], B, c.lengths[axis], b.data, b.row);
    }
  }
  template <int O, int I>
  void add_contribution() {
    constexpr int e = net.operations[O].in[I];
    if constexpr (has_adjoint<e>())
      if constexpr (memory_of<Plan>.accumulates[net.owner(e)]) {
        const binding<T> mine = contribution<O, I>(), whole = adjoint<e>();
        backend::accumulate_rows<net.edges[e].size>(Backend{}, steps_of<e>() * B, mine.data, mine.row, whole.data, whole.row);
      }
  }
  template <int O>
  void add_contributions() {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (clear_contribution<O, I>(), ...);
      (add_contribution<O, I>(), ...);
    }(std::make_integer_sequence<int, net.operations[O].in.size>{});
  }

  // --- programs -------------------------------------------------------------------------------------------------------------------
  template <int O>
  using program_memory_of = program_memory<T, Plan::template program_of<O>::counts>;

  template <int O>
  void bind_symbols(program_memory_of<O>& m) const {
    static constexpr const operation& op = net.operations[O];
    for (int s = 0; s < net.programs[op.program].symbols.size; ++s) {
      static constexpr auto offsets = [] {
        list<int, max_symbols> all;
        for (int k = 0; k < net.programs[net.operations[O].program].symbols.size; ++k) all.add(symbol_offset(net, net.operations[O], k));
        return all;
      }();
      m.symbols[s] = c.parameters + offsets[s];
      m.gradients[s] = c.gradients == nullptr ? nullptr : c.gradients + offsets[s];
    }
  }
  template <int O>
  T* packed_weight(int kernel) const {
    return c.packed + memory_of<Plan>.packed[memory_of<Plan>.operations[O].packed + kernel];
  }
  template <int O>
  void pack_operation() {
    if constexpr (net.operations[O].program >= 0) {
      using schedule_type = typename Plan::template program_of<O>::forward_schedule;
      program_memory_of<O> m;
      bind_symbols<O>(m);
      T* packed[64];
      for (int k = 0; k < schedule_type::value.kernels.size; ++k) packed[k] = packed_weight<O>(k);
      pack_weights<schedule_type, Backend>(m.symbols, packed);
    }
  }
  template <int O>
  program_memory_of<O> forward_memory() const {
    using compiled_program = typename Plan::template program_of<O>;
    static constexpr const operation_memory& mine = memory_of<Plan>.operations[O];
    constexpr int axis = axis_of<O>();
    program_memory_of<O> m;
    m.batch = axis < 0 ? c.rows : B;
    m.rows = c.rows;
    if constexpr (axis >= 0) m.lengths = c.full_steps[axis] < c.steps[axis] ? c.lengths[axis] : nullptr;
    bind_symbols<O>(m);
    for (int k = 0; k < compiled_program::forward_schedule::value.kernels.size; ++k) m.packed[k] = packed_weight<O>(k);
    for (int k = 0; k < compiled_program::forward_schedule::value.buffers.size; ++k) m.buffers[k] = at(mine.forward_buffers + k);
    for (int s = compiled_program::outputs; s < compiled_program::pair.forward.outputs.size; ++s) m.out[s] = saved<O>(s);
    return m;
  }
  // The s-th output of the forward program, one that is kept for the backward program.
  template <int O>
  binding<T> saved(int s) const {
    using compiled_program = typename Plan::template program_of<O>;
    const program& p = compiled_program::pair.forward;
    const std::ptrdiff_t row = p.code[p.outputs[s]].size;
    return {at(memory_of<Plan>.operations[O].saved + s - compiled_program::outputs), row, row * B};
  }
  template <int O>
  program_memory_of<O> backward_memory(const program_memory_of<O>& forward) const {
    using compiled_program = typename Plan::template program_of<O>;
    static constexpr const operation_memory& mine = memory_of<Plan>.operations[O];
    program_memory_of<O> m = forward;
    for (int k = 0; k < compiled_program::backward_schedule::value.buffers.size; ++k) m.buffers[k] = at(mine.backward_buffers + k);
    for (int s = 0; s < compiled_program::pair.saved.size; ++s) {
      const binding<T>& from = forward.out[compiled_program::pair.saved[s]];
      m.in[compiled_program::inputs + compiled_program::outputs + s] = {from.data, from.row, from.step};
      m.is_own[compiled_program::inputs + compiled_program::outputs + s] = compiled_program::pair.saved[s] >= compiled_program::outputs;
    }
    return m;
  }

  // --- forward ----------------------------------------------------------------------------------------------------------------------
  template <int O>
  void forward_operation() {
    static constexpr const operation& op = net.operations[O];
    if constexpr (op.what == work::gather) forward_gather<O>();
    else if constexpr (op.what == work::apply) forward_apply<O>();
    else if constexpr (op.what == work::scan) forward_scan<O>();
    else if constexpr (op.what == work::time_softmax) forward_time_softmax<O>();
    else if constexpr (op.what == work::weighted_sum) forward_weighted_sum<O>();
    else if constexpr (op.what == work::dropout) forward_dropout<O>();
    else forward_cross_entropy<O>();
  }
  template <int O>
  void backward_operation() {
    static constexpr const operation& op = net.operations[O];
    if constexpr (op.what == work::gather) backward_gather<O>();
    else if constexpr (op.what == work::apply) backward_apply<O>();
    else if constexpr (op.what == work::scan) backward_scan<O>();
    else if constexpr (op.what == work::time_softmax) backward_time_softmax<O>();
    else if constexpr (op.what == work::weighted_sum) backward_weighted_sum<O>();
    else if constexpr (op.what == work::dropout) backward_dropout<O>();
    else backward_cross_entropy<O>();
    add_contributions<O>();
  }

  template <int O>
  void forward_gather() {
    static constexpr const operation& op = net.operations[O];
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> y = value<op.out[0]>();
    backend::gather<D>(Backend{}, walked<O>() * B, c.tokens[op.in[0]], c.parameters + net.parameters[op.parameters[0]].offset, y.data, y.row);
  }
  template <int O>
  void backward_gather() {
    static constexpr const operation& op = net.operations[O];
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> g = adjoint<op.out[0]>();
    backend::scatter_add<D>(Backend{}, walked<O>() * B, c.tokens[op.in[0]], g.data, g.row, op.skipped,
                            c.gradients + net.parameters[op.parameters[0]].offset);
  }

  template <int O>
  void bind_apply(program_memory_of<O>& m) const {
    static constexpr const operation& op = net.operations[O];
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((m.in[I] = as_source(value<op.in[I]>())), ...);
    }(std::make_integer_sequence<int, op.in.size>{});
    m.out[0] = value<op.out[0]>();
  }
  static binding<const T> as_source(const binding<T>& b) { return {b.data, b.row, b.step}; }

  template <int O>
  void forward_apply() {
    using compiled_program = typename Plan::template program_of<O>;
    program_memory_of<O> m = forward_memory<O>();
    bind_apply<O>(m);
    run_phase<typename compiled_program::forward_schedule, phase::before, Backend>(m, 0, walked<O>());
    clear_past_end<net.operations[O].out[0]>(m.out[0]);
  }
  template <int O>
  void backward_apply() {
    using compiled_program = typename Plan::template program_of<O>;
    static constexpr const operation& op = net.operations[O];
    program_memory_of<O> forward = forward_memory<O>();
    bind_apply<O>(forward);
    program_memory_of<O> m = backward_memory<O>(forward);
    m.in[compiled_program::inputs] = as_source(adjoint<op.out[0]>());
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (
          [&] {
            if constexpr (((Plan::wanted(O) >> I) & 1u) != 0) m.out[compiled_program::wanted_before(I)] = contribution<O, I>();
          }(),
          ...);
    }(std::make_integer_sequence<int, op.in.size>{});
    run_phase<typename compiled_program::backward_schedule, phase::before, Backend>(m, 0, walked<O>());
  }

  // --- scan -------------------------------------------------------------------------------------------------------------------------
  // The sequence of state s has one slot more than steps: a step at t reads one neighbour slot and writes the other.
  // Forward: slot t to slot t + 1.  Reversed: slot t + 1 to slot t.
  template <int O, int S>
  binding<T> state_read() const {
    constexpr std::ptrdiff_t H = net.edges[net.operations[O].out[1 + S]].size;
    return {at(memory_of<Plan>.operations[O].states + S) + (net.operations[O].reversed ? B * H : 0), H, B * H};
  }
  template <int O, int S>
  binding<T> state_written() const {
    constexpr std::ptrdiff_t H = net.edges[net.operations[O].out[1 + S]].size;
    return {at(memory_of<Plan>.operations[O].states + S) + (net.operations[O].reversed ? 0 : B * H), H, B * H};
  }
  template <int O>
  void bind_scan(program_memory_of<O>& m) const {
    static constexpr const operation& op = net.operations[O];
    m.in[0] = as_source(value<op.in[0]>());
    m.out[0] = value<op.out[0]>();
    each_state<O>([&]<int S>() {
      m.in[1 + S] = as_source(state_read<O, S>());
      m.out[1 + S] = state_written<O, S>();
    });
  }
  template <int O, class F>
  static void each_state(F f) {
    [&]<int... S>(std::integer_sequence<int, S...>) { (f.template operator()<S>(), ...); }(std::make_integer_sequence<int, Plan::states(O)>{});
  }
  template <int O>
  static constexpr int first_carried() {  // position of the operation's first state among all carried states
    int n = 0;
    for (int o = 0; o < O; ++o)
      if (Plan::active.alive[o]) n += Plan::states(o);
    return n;
  }

  template <int O>
  void forward_scan() {
    using schedule_type = typename Plan::template program_of<O>::forward_schedule;
    static constexpr const operation& op = net.operations[O];
    constexpr int axis = net.edges[op.in[0]].axis;
    const int steps = walked<O>();
    const int* lengths = c.lengths[axis];
    program_memory_of<O> m = forward_memory<O>();
    bind_scan<O>(m);
    each_state<O>([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      const binding<T> start = state_read<O, S>();
      T* slot = start.data + (op.reversed ? (steps - 1) * start.step : 0);
      if (Plan::streaming && !c.starts) {
        backend::copy_rows<H>(Backend{}, B, c.carried[first_carried<O>() + S], H, slot, H);
      } else if constexpr (op.in[1 + S] >= 0) {
        const binding<T> given = value<op.in[1 + S]>();
        backend::copy_rows<H>(Backend{}, c.rows, given.data, given.row, slot, H);
        for (int k = c.rows * H; k < B * H; ++k) slot[k] = T(0);
      } else {
        for (int k = 0; k < B * H; ++k) slot[k] = T(0);
      }
    });
    run_phase<schedule_type, phase::before, Backend>(m, 0, steps);
    for (int n = 0; n < steps; ++n) {
      const int t = op.reversed ? steps - 1 - n : n;
      run_phase<schedule_type, phase::loop, Backend>(m, t, 1);
      if (t < c.full_steps[axis]) continue;
      each_state<O>([&]<int S>() {  // a sequence that has ended keeps its state
        constexpr int H = net.edges[op.out[1 + S]].size;
        const binding<T> from = state_read<O, S>(), to = state_written<O, S>();
        backend::copy_rows_where<H>(Backend{}, false, t, B, lengths, from.data + t * from.step, H, to.data + t * to.step, H);
      });
    }
    run_phase<schedule_type, phase::after, Backend>(m, 0, steps);
    const binding<T> y = m.out[0];
    backend::clear_past_end<net.edges[op.out[0]].size>(Backend{}, steps, B, lengths, y.data, y.row);
    each_state<O>([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      const binding<T> end = state_read<O, S>();
      const T* slot = end.data + (op.reversed ? -end.step : steps * end.step);
      if constexpr (Plan::streaming) backend::copy_rows<H>(Backend{}, B, slot, H, c.carried[first_carried<O>() + S], H);
      if constexpr (memory_of<Plan>.value[net.owner(op.out[1 + S])] >= 0) {
        const binding<T> final_state = value<op.out[1 + S]>();
        backend::copy_rows<H>(Backend{}, B, slot, H, final_state.data, final_state.row);
      }
    });
  }

  template <int O>
  void backward_scan() {
    using compiled_program = typename Plan::template program_of<O>;
    using schedule_type = typename compiled_program::backward_schedule;
    static constexpr const operation& op = net.operations[O];
    static constexpr const operation_memory& mine = memory_of<Plan>.operations[O];
    constexpr int axis = net.edges[op.in[0]].axis, Y = net.edges[op.out[0]].size;
    const int steps = walked<O>();
    const int* lengths = c.lengths[axis];
    program_memory_of<O> forward = forward_memory<O>();
    bind_scan<O>(forward);
    program_memory_of<O> m = backward_memory<O>(forward);

    // dL/dy: zero past each sequence's end
    T* y_seed = at(mine.seeds);
    m.in[compiled_program::inputs] = {y_seed, Y, B * Y};
    if constexpr (has_adjoint<op.out[0]>()) {
      const binding<T> g = adjoint<op.out[0]>();
      backend::copy_rows<Y>(Backend{}, steps * B, g.data, g.row, y_seed, Y);
      backend::clear_past_end<Y>(Backend{}, steps, B, lengths, y_seed, Y);
    } else {
      for (long k = 0; k < long(steps) * B * Y; ++k) y_seed[k] = T(0);
    }
    if constexpr ((Plan::wanted(O) & 1u) != 0) m.out[0] = contribution<O, 0>();

    // what is carried from step to step: the adjoint of each state, from that of the final state back to the initial one's
    const auto carried = [&](int s) { return at(mine.carried + s); };
    each_state<O>([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      m.in[compiled_program::inputs + 1 + S] = {at(mine.seeds + 1 + S), H, B * H};
      m.out[compiled_program::wanted_before(1 + S)] = {at(mine.adjoints + S), H, B * H};
      if constexpr (has_adjoint<op.out[1 + S]>()) {
        const binding<T> g = adjoint<op.out[1 + S]>();
        backend::copy_rows<H>(Backend{}, B, g.data, g.row, carried(S), H);
      } else {
        for (int k = 0; k < B * H; ++k) carried(S)[k] = T(0);
      }
    });
    run_phase<schedule_type, phase::before, Backend>(m, 0, steps);
    for (int n = 0; n < steps; ++n) {
      const int t = op.reversed ? n : steps - 1 - n;
      const bool all_active = t < c.full_steps[axis];
      each_state<O>([&]<int S>() {
        constexpr int H = net.edges[op.out[1 + S]].size;
        T* seed = at(mine.seeds + 1 + S) + std::ptrdiff_t(t) * B * H;
        backend::copy_rows<H>(Backend{}, B, carried(S), H, seed, H);
        if (!all_active)
          for (int r = 0; r < B; ++r)
            if (t >= lengths[r])
              for (int j = 0; j < H; ++j) seed[r * H + j] = T(0);
      });
      run_phase<schedule_type, phase::loop, Backend>(m, t, 1);
      each_state<O>([&]<int S>() {  // a sequence that has ended passes its adjoint on
        constexpr int H = net.edges[op.out[1 + S]].size;
        const T* out = at(mine.adjoints + S) + std::ptrdiff_t(t) * B * H;
        if (all_active) backend::copy_rows<H>(Backend{}, B, out, H, carried(S), H);
        else backend::copy_rows_where<H>(Backend{}, true, t, B, lengths, out, H, carried(S), H);
      });
    }
    run_phase<schedule_type, phase::after, Backend>(m, 0, steps);
    each_state<O>([&]<int S>() {
      constexpr int H = net.edges[op.out[1 + S]].size;
      if constexpr (has_adjoint<op.in[1 + S]>()) {
        const binding<T> g = contribution<O, 1 + S>();
        backend::copy_rows<H>(Backend{}, B, carried(S), H, g.data, g.row);
      }
    });
  }

  // --- attention --------------------------------------------------------------------------------------------------------------------
  template <int O>
  void forward_time_softmax() {
    static constexpr const operation& op = net.operations[O];
    backend::time_softmax(Backend{}, walked<O>(), B, c.lengths[axis_of<O>()], value<op.in[0]>().data, value<op.out[0]>().data);
  }
  template <int O>
  void backward_time_softmax() {
    static constexpr const operation& op = net.operations[O];
    if constexpr (has_adjoint<op.in[0]>())
      backend::time_softmax_gradient(Backend{}, walked<O>(), B, value<op.out[0]>().data, adjoint<op.out[0]>().data, contribution<O, 0>().data);
  }
  template <int O>
  void forward_weighted_sum() {
    static constexpr const operation& op = net.operations[O];
    const binding<T> values = value<op.in[1]>(), y = value<op.out[0]>();
    backend::weighted_sum<net.edges[op.out[0]].size>(Backend{}, walked<O>(), B, value<op.in[0]>().data, values.data, values.row, y.data, y.row);
  }
  template <int O>
  void backward_weighted_sum() {
    static constexpr const operation& op = net.operations[O];
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> values = value<op.in[1]>(), g = adjoint<op.out[0]>();
    // a side that nobody wants goes to scratch
    const binding<T> weights_share = share<O, 0>(), values_share = share<O, 1>();
    backend::weighted_sum_gradient<D>(Backend{}, walked<O>(), B, value<op.in[0]>().data, values.data, values.row, g.data, g.row,
                                      weights_share.data, values_share.data, values_share.row);
  }
  template <int O, int I>
  binding<T> share() const {
    constexpr int e = net.operations[O].in[I];
    if constexpr (has_adjoint<e>()) return contribution<O, I>();
    else return {at(memory_of<Plan>.operations[O].contributions + I), net.edges[e].size, std::ptrdiff_t(net.edges[e].size) * B};
  }

  // --- dropout ----------------------------------------------------------------------------------------------------------------------
  template <int O>
  std::uint64_t stream() const {
    return (c.step << 16) | static_cast<std::uint64_t>(O);
  }
  template <int O>
  void forward_dropout() {
    static constexpr const operation& op = net.operations[O];
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> x = value<op.in[0]>(), y = value<op.out[0]>();
    const int rows = steps_of<op.out[0]>() * B;
    if constexpr (!Plan::training) {
      backend::copy_rows<D>(Backend{}, rows, x.data, x.row, y.data, y.row);
    } else {
      if (x.row != D) backend::copy_rows<D>(Backend{}, rows, x.data, x.row, y.data, y.row);
      backend::dropout(Backend{}, std::ptrdiff_t(rows) * D, op.rate, c.seed, stream<O>(), x.row != D ? y.data : x.data, y.data);
    }
  }
  template <int O>
  void backward_dropout() {
    static constexpr const operation& op = net.operations[O];
    if constexpr (has_adjoint<op.in[0]>()) {
      constexpr int D = net.edges[op.out[0]].size;
      const binding<T> g = adjoint<op.out[0]>(), dx = contribution<O, 0>();
      static_assert(net.edges[op.out[0]].whole < 0);
      const int rows = steps_of<op.out[0]>() * B;
      backend::dropout(Backend{}, std::ptrdiff_t(rows) * D, op.rate, c.seed, stream<O>(), g.data, dx.data);
    }
  }

  // --- loss -------------------------------------------------------------------------------------------------------------------------
  template <int O>
  T* loss_gradient() const {
    return at(memory_of<Plan>.operations[O].loss_gradient);
  }
  template <int O>
  T counted() const {
    static constexpr const operation& op = net.operations[O];
    int n = 0;
    for (int r = 0; r < walked<O>() * B; ++r) n += c.tokens[op.in[1]][r] >= 0;
    return n > 0 ? T(n) : T(1);
  }
  template <int O>
  void forward_cross_entropy() {
    static constexpr const operation& op = net.operations[O];
    const binding<T> logits = value<op.in[0]>();
    const T total = backend::cross_entropy<net.edges[op.in[0]].size>(Backend{}, walked<O>() * B, logits.data, logits.row, c.tokens[op.in[1]],
                                                                     loss_gradient<O>());
    c.loss = total / counted<O>();
    value<op.out[0]>().data[0] = c.loss;
  }
  template <int O>
  void backward_cross_entropy() {
    static constexpr const operation& op = net.operations[O];
    constexpr int C = net.edges[op.in[0]].size;
    if constexpr (has_adjoint<op.in[0]>()) {
      const T* g = loss_gradient<O>();
      const T scale = T(1) / counted<O>();
      const binding<T> dx = contribution<O, 0>();
      for (int r = 0; r < walked<O>() * B; ++r)
        for (int k = 0; k < C; ++k) dx.data[r * dx.row + k] = g[std::ptrdiff_t(r) * C + k] * scale;
    }
  }
};

}  // namespace tenon::engine
