// plan: everything about running a network that is known at compile time: which operations are needed, which
// of them take part in the backward pass, and which programs they run.
#pragma once

#include "tenon/engine/plan/abilities.hpp"
#include "tenon/engine/plan/compiled.hpp"
#include "tenon/engine/plan/multiplied_windows.hpp"
#include "tenon/engine/plan/plan_activity.hpp"
#include "tenon/graph/graph.hpp"

namespace tenon::inline v0_1 {

// --- options of a plan -------------------------------------------------------------------------------------
template <int Rows>
struct batch {  // the most rows that run at once
  static constexpr int rows = Rows;
};
// For an inference or a trainer on a GPU: work of one shape is captured once, and then queued as a whole.
struct captured {};
template <int Steps>
struct block {  // the most steps that a stream takes at once
  static constexpr int steps_in_block = Steps;
};
struct input_gradients {};  // differentiation also computes dL/dinput of the numeric inputs
template <class B>
struct on {  // the backend: on<backend::cpu>
  using backend = B;
};
template <class T>
struct scalar_type {  // float (default) or double
  using scalar = T;
};

namespace engine {

enum class purpose : unsigned char { inference, differentiation, streaming };

// A plan as a type, made from graph, objective, purpose and options.
template <class G, class Objective, purpose Purpose, class Backend, class T, int Batch, bool InputGradients,
          class... TimeBounds>
struct plan
    : plan_activity<
          detail::network_for<G, Objective, std::conditional_t<Purpose == purpose::streaming, void, Backend>,
                              Purpose == purpose::differentiation>(),
          Purpose == purpose::differentiation, InputGradients, Purpose == purpose::streaming, Batch,
          TimeBounds...> {
  using activity_of_plan = typename plan::plan_activity;
  using activity_of_plan::active, activity_of_plan::inner_steps_of, activity_of_plan::is_stepped,
      activity_of_plan::block, activity_of_plan::in_blocks, activity_of_plan::kept_steps,
      activity_of_plan::net, activity_of_plan::rows, activity_of_plan::sees_what_stays,
      activity_of_plan::steps_of, activity_of_plan::training;
  using graph_type = G;
  using backend = Backend;
  static constexpr abilities can = abilities_of<Backend, T>;
  using scalar = T;
  static constexpr characters title = title_of<G>();
  static constexpr int batch = Batch;

  static constexpr bool has_frozen(const operation& op) {
    for (int p : op.parameters)
      if (net.parameters[p].frozen) return true;
    return false;
  }
  static constexpr symbol_set frozen_symbols(int o) {
    symbol_set all = 0;
    const operation& op = net.operations[o];
    if (!has_frozen(op) || op.program < 0) return all;
    for (int s = 0; s < net.programs[op.program].symbols.size; ++s)
      if (is_frozen_symbol(net, op, s)) all |= symbol_set{1} << s;
    return all;
  }

  // --- products of tables ----------------------------------------------------------------------------------
  static constexpr bool is_only_multiplied(int g) {
    const int e = net.operations[g].out[0];
    const long entries = net.parameters[net.operations[g].parameters[0]].rows;
    for (int out : net.outputs)
      if (net.owner(out) == e) return false;
    bool read = false;
    for (int o = 0; o < net.operations.size; ++o) {
      const operation& op = net.operations[o];
      if (!active.alive[o]) continue;
      for (int i = 0; i < op.in.size; ++i) {
        if (op.in[i] < 0 || net.owner(op.in[i]) != e) continue;
        if (i != 0 || op.in[0] != e || op.program < 0 || op.inner >= 0 || multiplied_neighbours(op) > 0)
          return false;
        const program_view& p = net.programs[op.program];
        const int product = sole_product(p, 0);
        if (product < 0 ||
            (training && (has_frozen(op) || has_frozen(net.operations[g]) || net.operations[g].by_frequency)))
          return false;
        // Training multiplies the table after every update, inference only once; both keep the product.
        if (training ? 2 * entries > rows(e) : entries * p.code[product].size > 1 << 20) return false;
        read = true;
      }
    }
    return read;
  }
  // By operation: if it only multiplies its first input, and this is rows of a table, the gather that looks them
  // up. Then the table is multiplied, and the rows are not needed. -1: the rows are multiplied.
  static constexpr auto tables = [] {
    list<int, net.operations.size + 1> all;
    for (int o = 0; o < net.operations.size; ++o) all.add(-1);
    if (can.multiplies_tables)
      for (int g = 0; g < net.operations.size; ++g)
        if (active.alive[g] && traits_of(net.operations[g].kind).is_table && is_only_multiplied(g))
          for (int o = 0; o < net.operations.size; ++o)
            if (active.alive[o] && !net.operations[o].in.empty() &&
                net.operations[o].in[0] == net.operations[g].out[0])
              all[o] = g;
    return all;
  }();
  static constexpr bool has_tables = [] {
    for (int g : tables)
      if (g >= 0) return true;
    return false;
  }();
  // Is it a gather that does nothing, because its table is multiplied?
  static constexpr bool is_table_alone(int g) { return has_tables && tables.find(g) >= 0; }
  static constexpr const parameter& table(int o) {
    return net.parameters[net.operations[tables[o]].parameters[0]];
  }
  static constexpr int table_columns(int o) {  // of the table's product
    const program_view& p = net.programs[net.operations[o].program];
    return p.code[sole_product(p, 0)].size;
  }

  // --- adjoints that several operations add to -------------------------------------------------------------
  // Such a sum starts with what the first operation writes, if it writes the whole adjoint; otherwise at zero, and
  // first_operation is -1.
  struct adjoint_sum {
    bool has_several = false;
    int first_operation = -1, first_input = -1;
  };
  // Finds the operation that writes an adjoint before all others, if it writes the whole of it.
  static constexpr void find_first(int e, adjoint_sum& sum) {
    for (int out : net.outputs)
      if (net.losses.empty() && net.owner(out) == e) return;  // the caller writes it first
    for (int o = net.operations.size - 1; o >= 0; --o)
      for (int i = 0; i < net.operations[o].in.size && active.differentiated[o]; ++i) {
        const int in = net.operations[o].in[i];
        if (in < 0 || net.owner(in) != e) continue;
        if (net.edges[in].whole < 0) {
          sum.first_operation = o;
          sum.first_input = i;
        }
        return;
      }
  }
  static constexpr auto sums = [] {
    list<adjoint_sum, net.edges.size + 1> all;
    int contributions[net.edges.size + 1]{};
    for (int o = 0; o < net.operations.size; ++o)
      for (int e : net.operations[o].in)
        if (active.differentiated[o] && e >= 0)
          contributions[net.owner(e)] += net.edges[e].whole >= 0 ? 2 : 1;  // a part never is the whole
    for (int e : net.outputs)
      if (net.losses.empty()) ++contributions[net.owner(e)];  // from the caller
    for (int e = 0; e < net.edges.size; ++e) {
      all.add({.has_several = contributions[e] > 1});
      if (active.has_adjoint[e] && all[e].has_several) find_first(e, all[e]);
    }
    return all;
  }();
  // A contribution is what one operation adds to an adjoint; the first one is written instead. Must operation o add its
  // contribution to the adjoint of its input i?
  static constexpr bool adds_contribution(int o, int i) {
    const adjoint_sum& sum = sums[net.owner(net.operations[o].in[i])];
    return sum.has_several && !(sum.first_operation == o && sum.first_input == i);
  }
  // Bit i: others have initialized the adjoint of input i when the program runs, and no other input is the same edge.
  static constexpr unsigned initialized(int o) {
    unsigned mask = 0;
    const operation& op = net.operations[o];
    for (int i = 0; i < op.in.size && !traits_of(op.kind).is_loop; ++i) {
      bool alone = op.in[i] >= 0 && !(i == 0 && tables[o] >= 0);
      for (int j = 0; j < op.in.size && alone; ++j)
        alone = i == j || op.in[j] < 0 || net.owner(op.in[j]) != net.owner(op.in[i]);
      if (alone && active.has_adjoint[net.owner(op.in[i])] && adds_contribution(o, i)) mask |= 1u << i;
    }
    return mask;
  }
  static constexpr bool accumulates = can.accumulates_in_maps;

  // --- adjoints that the caller gives ----------------------------------------------------------------------
  // Does no other output share the memory of this one?
  static constexpr bool owns_its_memory(int e) {
    int owned = 0;
    for (int out : net.outputs) owned += net.owner(out) == net.owner(e);
    return owned == 1 && net.edges[e].whole < 0;
  }
  // Can the backward pass read the adjoint of this output in the caller's memory? Only if nothing else adds to it.
  static constexpr bool reads_callers_adjoint(int e) {
    if (can.reads_callers_adjoints)
      for (const operation& op : net.operations)
        if (traits_of(op.kind).is_table && op.out[0] == e) return owns_its_memory(e) && !sums[e].has_several;
    return false;
  }

  // --- compiled programs -----------------------------------------------------------------------------------
  static constexpr unsigned requires_adjoint(int o) {
    unsigned mask = 0;
    const operation& op = net.operations[o];
    for (int i = 0; i < op.in.size; ++i) {
      const bool is_state = i > 0 && i <= states(o);
      if (is_state || (op.in[i] >= 0 && active.needs_gradient[net.owner(op.in[i])])) mask |= 1u << i;
    }
    return mask;
  }
  static constexpr int states(int o) {
    return traits_of(net.operations[o].kind).is_loop ? net.operations[o].out.size - 1 : 0;
  }
  // Outputs of an equation that are read. Those of a scan include its states and all exist.
  static constexpr unsigned outputs_read(int o) {
    unsigned mask = 0;
    const operation& op = net.operations[o];
    for (int i = 0; i < op.out.size && traits_of(op.kind).is_equation; ++i)
      if (active.is_read[net.owner(op.out[i])]) mask |= 1u << i;
    return mask == 0 ? ~0u : mask;
  }
  static constexpr unsigned outputs_with_adjoint(int o) {
    unsigned mask = ~0u;
    const operation& op = net.operations[o];
    for (int i = 0; i < (traits_of(op.kind).is_loop ? 1 : op.out.size); ++i)
      if (!active.has_adjoint[net.owner(op.out[i])]) mask &= ~(1u << i);
    return mask;
  }
  // A loop of one step is no loop: everything is computed at once, including the states.
  static constexpr bool is_one_step(int o) { return !training && steps_of(o) == 1 && inner_steps_of(o) == 1; }
  static constexpr stage_limits stages =
      can.limits_of_stages != nullptr ? can.limits_of_stages(Batch) : stage_limits{};
  // The limits of stages for kernels that run on all steps of an operation at once.
  static constexpr stage_limits stages_of_steps(int o) {
    return can.limits_of_stages_of_steps != nullptr ? can.limits_of_stages_of_steps(Batch, steps_of(o))
                                                    : stages;
  }
  // The limits of the loop of an operation; none if it is given one step at a time, or if its steps see another axis.
  static constexpr loop_limits loops(int o) {
    const bool has_none =
        can.limits_of_loops == nullptr || (is_stepped(o) && block == 1) || net.operations[o].inner >= 0;
    return has_none ? loop_limits{} : can.limits_of_loops(Batch);
  }
  // How many steps run at once if each sees an inner axis; 0 if there are few steps.
  static constexpr int lanes_of(int o) {
    if (can.lanes_of_pairs == nullptr || is_stepped(o) || net.operations[o].inner < 0) return 0;
    const int lanes = can.lanes_of_pairs(long(Batch) * inner_steps_of(o), steps_of(o));
    return 4 * steps_of(o) < lanes ? 0 : lanes;
  }
  static constexpr lowering lowering_of(int o) {
    const bool differentiated = training && active.differentiated[o];
    return {.states = states(o),
            .requires_adjoint = differentiated ? requires_adjoint(o) : 0,
            .initialized = differentiated && accumulates ? initialized(o) : 0,
            .accumulates = accumulates,
            .accumulates_in_products = accumulates && can.accumulates_in_products,
            .training = differentiated,
            .one_step = is_one_step(o),
            .of_table = tables[o] >= 0,
            .neighbours = multiplied_neighbours(net.operations[o]),
            .once = sees_what_stays(o),
            .outputs = outputs_read(o),
            .has_adjoint = differentiated ? outputs_with_adjoint(o) : ~0u,
            .frozen = differentiated ? frozen_symbols(o) : 0,
            .stages = stages,
            .stages_of_steps = stages_of_steps(o),
            .lanes = lanes_of(o),
            .by_sequence = lanes_of(o) > 0 && can.each_sequence,
            .kept_steps = kept_steps(o),
            .block = kept_steps(o) > 0 ? block : 1,
            .loops = loops(o),
            .shared = can.sharing.exist() && is_large(o)};
  }
  // Does it pay to cut the kernels of an operation into pieces for several threads?
  static constexpr bool is_large(int o) {
    const operation& op = net.operations[o];
    const long rows = long(Batch) * steps_of(o);
    if (traits_of(op.kind).makes_gradient)
      return net.edges[op.in[0]].size * rows >= can.sharing.numbers;
    return op.program >= 0 && is_large_program(net.programs[op.program], rows, inner_steps_of(o));
  }
  static constexpr bool is_large_program(const program_view& p, long rows, long inner_steps) {
    const sharing_limits& from = can.sharing;
    long numbers = 0;
    for (const instruction& i : p.code) {
      const long weights = i.code == opcode::matmul ? long(p.code[i.a].size) * i.size : 0;
      const bool is_of_pairs = i.code == opcode::pair_dot || i.code == opcode::pair_sum;
      if (weights > 0 && (weights >= from.weights || weights * rows >= from.multiply_adds)) return true;
      if (is_of_pairs && rows * inner_steps * p.code[i.b].size >= from.multiply_adds) return true;
      if (is_elementwise(i.code)) numbers += i.size;
    }
    return numbers * rows >= from.numbers;
  }
  template <int P>
  static constexpr auto code = [] {
    if constexpr (P < 0) return encode<encoded_size(program{})>(program{});
    else return encode<encoded_size(program_view(net.programs[P]))>(program_view(net.programs[P]));
  }();
  static constexpr auto lowerings = [] {
    list<lowering, net.operations.size> all;
    for (int o = 0; o < net.operations.size; ++o) all.add(lowering_of(o));
    return all;
  }();
  static constexpr bool shares_kernels = [] {
    for (const lowering& each : lowerings)
      if (each.shared) return true;
    return false;
  }();
  template <int O>
  using program_of = compiled<code<net.operations[O].program>, lowerings[O]>;

  template <int O>
  static constexpr operation_needs needs_of() {
    operation_needs needs;
    if constexpr (active.alive[O] && net.operations[O].program >= 0)
      needs = needs_of_program<program_of<O>, Backend>();
    if (tables[O] >= 0) needs.packed.add(long(table(O).rows) * table_columns(O));  // after all kernels
    return needs;
  }
  // Time points: operation o runs forward at o + 1 and backward at last_time_point - 1 - o; 0 and last_time_point are
  // before and after all.
  static constexpr int last_time_point = 2 * net.operations.size + 2;
  static constexpr int forward_time_point(int o) { return o + 1; }
  static constexpr int backward_time_point(int o) { return last_time_point - 1 - o; }
};

}  // namespace engine
}  // namespace tenon::inline v0_1
