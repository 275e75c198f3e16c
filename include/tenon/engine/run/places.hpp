// places: the addresses of edges and of the private memory of operations during a run, and what else a run reads.
//
// Padding: values and adjoints of sequences are zero past each row's end. For an edge without a time axis, only
// the given rows are computed; the others have arbitrary values, and no sum over rows includes them.
#pragma once

#include "tenon/engine/plan/operation_signature.hpp"
#include "tenon/engine/plan/program_memory.hpp"
#include "tenon/engine/plan/row_order.hpp"
#include "tenon/engine/run/stream_position.hpp"

#include <cstdint>

namespace tenon::inline v0_1::engine {

// The inputs, which the session takes from the caller before a run.
struct run_inputs {
  const int* const* tokens = nullptr;   // by edge: [time?, batch]; negative: padding
  const int* const* lengths = nullptr;  // by time axis: [batch]
  int* seen_lengths = nullptr;          // [batch]: lengths of an inner axis, as a step of a loop sees them
  const int* steps = nullptr;           // by time axis: the longest length
  const int* full_steps = nullptr;      // by time axis: the shortest length; no row ends before it
  int rows = 0;                         // given rows; the lengths of the others are 0
  std::uint64_t seed = 0;               // dropout
  std::uint64_t step = 0;
};

// What losses write. If the backend has memory of its own, `of_operations` and `numbers` are there.
struct run_losses {
  // By operation: the count of a loss in the whole batch that this run is a shard of; null: the run is the whole batch.
  const double* valid_targets = nullptr;
  // The same if the backend has memory of its own: the counts are in `of_operations` before the run.
  bool is_of_shard = false;
  backend::positions_sum* of_operations = nullptr;  // sums and counts; null: nowhere
  backend::run_numbers* numbers = nullptr;          // of this run
  double loss = 0;
  double positions = 0;  // rows or steps that the losses counted; in a shard of a batch, only its own
};

// The session's memory, and that of the caller.
template <class T>
struct run_memory {
  T* values = nullptr;  // memory_of<Plan>.size elements
  T* packed = nullptr;  // memory_of<Plan>.packed_size elements
  const T* parameters = nullptr;
  T* gradients = nullptr;  // differentiation: what the backward pass adds to
  // By edge: adjoints of outputs that are in the caller's memory; null data: in the session's.
  const operand<const T>* given_adjoints = nullptr;
};

// What a run reads and writes. Each value has one owner, and points to nothing that points back.
template <class T>
struct run_context {
  run_memory<T> memory;
  run_inputs inputs;
  stream_position stream;
  run_losses losses;
  crew<T>* threads = nullptr;  // that share large kernels; null: there is one thread
};

// Where an edge is in the block of memory, in elements: row r of time step t is at `at + t * step + r * row`. Tokens
// are not in this block: `at` is the number of their edge.
struct edge_place {
  long at = 0;
  int row = 0, step = 0;
};

// Windows that an operation makes, or reads in place.
struct window_places {
  int source_axis = -1;  // the axis that they go over
  int made_axis = -1;    // the axis of the windows; -1: there is one window over everything
  windows over{};
  extents grid{0, 0};  // the places; height 0: the steps of a sequence
  double outside = 0;  // the value outside the border
};

// The addresses of everything that an operation reads and writes. The arrays are as long as the operation needs.
struct operation_places {
  int axis[2]{-1, -1};                       // that it runs along, and that each step sees whole; -1: none
  bool reversed = false;                     // scan: from the last step to the first
  unsigned added = 0;                        // inputs whose contributions are added to those of others: bit i
  const edge_place* in = nullptr;            // values of its inputs
  const edge_place* out = nullptr;           // and outputs
  const edge_place* adjoint = nullptr;       // training: adjoints of its outputs
  const edge_place* contribution = nullptr;  // by input: where it writes its contribution to the adjoint,
  const edge_place* sum = nullptr;           // and where the whole adjoint is
  const int* symbols = nullptr;              // offsets in the block of parameters
  int tokens = -1;                           // the edge that gives it tokens or targets
  int table = 0, entries = 0, skipped_entry = -1;  // of the table it looks up: offset, rows, padding row
  int output = -1;                                 // the edge of its first output
  int number = 0;                                  // its number in the plan
  int laid_out = 0;                                // and in the graph's network, where others are not joined
  double rate = 0;                                 // dropout
  double scale = 1;                                // a loss
  const window_places* windows = nullptr;          // if it has any
  int forward_block = 1, backward_block = 1;       // see operation_memory
  int first[region_kinds_of_operations]{};         // among its regions, the first one of each kind
  const int* regions = nullptr;                    // where its regions begin in the block of memory, in lines
  const int* packed = nullptr;                     // and its packed weights in their block
};

// The places of one operation of a plan, as a type that depends on them, not on the graph, to keep its name short.
template <operation_places Alone, auto In, auto Out, auto Adjoint, auto Contribution, auto Sum, auto Symbols,
          auto Regions, auto Packed, auto Windows>
struct placed_operation {
  static constexpr operation_places value = [] {
    operation_places p = Alone;
    p.in = constant_list<In>.begin();
    p.out = constant_list<Out>.begin();
    p.adjoint = constant_list<Adjoint>.begin();
    p.contribution = constant_list<Contribution>.begin();
    p.sum = constant_list<Sum>.begin();
    p.symbols = constant_list<Symbols>.begin();
    p.regions = constant_list<Regions>.begin();
    p.packed = constant_list<Packed>.begin();
    if constexpr (Windows.size > 0) p.windows = constant_list<Windows>.begin();
    return p;
  }();
};

// The sums of adjoints of equal tokens, behind a table that is multiplied: [rows, columns], one behind the other.
template <class T>
struct summed_table {
  T* sums = nullptr;
  int rows = 0, columns = 0;
};

// The places of one operation in one run.
template <class T>
struct places {
  run_context<T>& c;
  const operation_places& o;

  T* at(region_kind kind, int number = 0) const { return at(c, kind, number); }
  // The same in another run.
  T* at(const run_context<T>& run, region_kind kind, int number = 0) const {
    return run.memory.values + elements_of_lines(o.regions[o.first[static_cast<int>(kind)] + number]);
  }
  T* packed_weight(int kernel) const { return c.memory.packed + elements_of_lines(o.packed[kernel]); }
  const int* tokens() const { return c.inputs.tokens[o.tokens]; }
  const int* tokens(int i) const { return c.inputs.tokens[o.in[i].at]; }  // of input i

  operand<T> rows_at(const edge_place& e) const { return {c.memory.values + e.at, e.row, e.step}; }
  operand<T> in(int i) const { return rows_at(o.in[i]); }
  operand<T> out(int i) const { return rows_at(o.out[i]); }
  operand<T> adjoint(int i) const { return rows_at(o.adjoint[i]); }
  // The adjoint of the first output; the caller's, if that is read in place.
  operand<const T> output_adjoint() const {
    if (c.memory.given_adjoints != nullptr && c.memory.given_adjoints[o.output].data != nullptr)
      return c.memory.given_adjoints[o.output];
    return as_source(adjoint(0));
  }
  operand<T> contribution(int i) const { return rows_at(o.contribution[i]); }
  operand<T> sum(int i) const { return rows_at(o.sum[i]); }

  // The steps and lengths along an axis of the operation.
  int axis_of(dimension axis) const { return o.axis[static_cast<int>(axis)]; }
  int steps(dimension axis = dimension::time) const {
    return axis_of(axis) < 0 ? 1 : c.inputs.steps[axis_of(axis)];
  }
  int full_steps(dimension axis = dimension::time) const { return c.inputs.full_steps[axis_of(axis)]; }
  const int* lengths(dimension axis = dimension::time) const { return c.inputs.lengths[axis_of(axis)]; }

  // The places that its windows go over.
  bool is_over_grid() const { return o.windows->grid.height > 0; }
  extents windows_over() const {
    return is_over_grid() ? o.windows->grid : extents{1, c.inputs.steps[o.windows->source_axis]};
  }
};

namespace detail {

template <class Plan>
struct placement {
  static constexpr const auto& net = Plan::net;
  static constexpr const auto& memory = memory_of<Plan>;
  static constexpr int B = Plan::batch;

  // A layer or some columns of another edge are in the memory of that edge.
  static constexpr edge_place place_of(int e, const int* regions) {
    const int owner = net.owner(e);
    edge_place mine{.row = row_order<Plan>::row_stride(owner)};
    mine.step = net.edges[e].axis < 0 ? 0 : row_order<Plan>::step_stride(owner);
    for (int part = e; net.edges[part].whole >= 0; part = net.edges[part].whole)
      mine.at += net.edges[part].column + long(net.edges[part].layer) * B * mine.row;
    if (regions[owner] >= 0) mine.at += memory.regions[regions[owner]].offset;
    return mine;
  }
  static constexpr edge_place value(int e) { return place_of(e, memory.value); }
  static constexpr edge_place adjoint(int e) { return place_of(e, memory.adjoint); }
  // Memory of its own for a contribution that is not needed, or that is added to others.
  static constexpr edge_place private_contribution(int o, int i) {
    const edge& e = net.edges[net.operations[o].in[i]];
    return {.at = memory.find(o, region_kind::contribution, i)->offset,
            .row = e.size,
            .step = e.axis < 0 ? 0 : e.size * B};
  }

  // A list that an operation needs: of(o, 0), of(o, 1), ..
  template <int Count, class T>
  static constexpr auto row(T (*of)(int, int), int o) {
    list<T, Count> all;
    for (int i = 0; i < Count; ++i) all.add(of(o, i));
    return all;
  }
  static constexpr edge_place input(int o, int i) {
    const int e = net.operations[o].in[i];
    if (e >= 0 && net.edges[e].is_token()) return {.at = e};
    return e < 0 ? edge_place{} : value(e);
  }
  static constexpr edge_place output(int o, int i) { return value(net.operations[o].out[i]); }
  static constexpr edge_place output_adjoint(int o, int i) { return adjoint(net.operations[o].out[i]); }
  static constexpr edge_place sum(int o, int i) {
    const int e = net.operations[o].in[i];
    return e < 0 ? edge_place{} : adjoint(e);
  }
  static constexpr edge_place contribution(int o, int i) {
    const operation_signature& signature = signatures_of<Plan>[o];
    if (net.operations[o].in[i] < 0 || !signature.differentiated) return {};
    const bool is_whole =
        signature.has(signature.requires_adjoint, i) && !signature.has(find_added<Plan>(o, signature), i);
    return is_whole ? sum(o, i) : private_contribution(o, i);
  }
  static constexpr int region_line(int o, int i) {
    return static_cast<int>(memory.regions_of(o)[i].offset / builder::alignment);
  }
  static constexpr int packed_line(int o, int i) {
    return static_cast<int>(memory.packed[memory.operations[o].first_packed + i] / builder::alignment);
  }
  static constexpr int symbol(int o, int i) { return symbol_offset(net, net.operations[o], i); }

  static constexpr window_places window(int o, int) {
    const operation& op = net.operations[o];
    const int source = net.edges[op.in[0]].axis;
    return {source, net.edges[op.out[0]].axis, op.over, net.axes[source].grid, op.outside};
  }

  // All members that are no lists.
  static constexpr operation_places alone(int o) {
    const operation& op = net.operations[o];
    operation_places p{.axis = {Plan::axis(o), op.inner},
                       .reversed = op.reversed,
                       .added = find_added<Plan>(o, signatures_of<Plan>[o]),
                       .output = op.out[0],
                       .number = o,
                       .laid_out = op.number,
                       .rate = op.rate,
                       .scale = op.scale,
                       .forward_block = memory.operations[o].forward_block,
                       .backward_block = memory.operations[o].backward_block};
    const list_view<region> own = memory.regions_of(o);
    for (int r = 0; r < own.size; ++r) {
      int& first = p.first[static_cast<int>(own[r].kind)];
      if (own[r].number == 0) first = r;
      if (first + own[r].number != r) throw "the regions of a kind are not one after the other";
    }
    if (const int targets = traits_of(op.kind).targets; targets >= 0) p.tokens = op.in[targets];
    if (const int gather = traits_of(op.kind).is_table ? o : Plan::tables[o]; gather >= 0) {
      const parameter& table = net.parameters[net.operations[gather].parameters[0]];
      p.tokens = net.operations[gather].in[0];
      p.table = table.offset;
      p.entries = table.rows;
      p.skipped_entry = net.operations[gather].skipped;
    }
    return p;
  }
  static constexpr int symbols(int o) {
    const int program = net.operations[o].program;
    return program < 0 ? 0 : net.programs[program].symbols.size;
  }
  static constexpr int adjoints(int count) { return Plan::training ? count : 0; }
  static constexpr int ins(int o) { return net.operations[o].in.size; }
  static constexpr int outs(int o) { return net.operations[o].out.size; }
  static constexpr int regions(int o) { return memory.operations[o].regions; }
  static constexpr int weights(int o) { return memory.operations[o].packed; }

  static constexpr int windows_of(int o) {
    const operation& op = net.operations[o];
    return traits_of(op.kind).reads_neighbours || multiplied_neighbours(op) > 0 ? 1 : 0;
  }

  template <int O>
  using of = placed_operation<
      alone(O), row<ins(O)>(input, O), row<outs(O)>(output, O), row<adjoints(outs(O))>(output_adjoint, O),
      row<adjoints(ins(O))>(contribution, O), row<adjoints(ins(O))>(sum, O), row<symbols(O)>(symbol, O),
      row<regions(O)>(region_line, O), row<weights(O)>(packed_line, O), row<windows_of(O)>(window, O)>;
};

}  // namespace detail

// The places of operation O.
template <class Plan, int O>
using placed_operation_of = typename detail::placement<Plan>::template of<O>;

// By edge: where its value and its adjoint are.
struct edge_memory {
  edge_place value{}, adjoint{};
};
template <class Plan>
inline constexpr auto edge_places_of = [] {
  list<edge_memory, Plan::net.edges.size> all;
  for (int e = 0; e < Plan::net.edges.size; ++e)
    all.add({detail::placement<Plan>::value(e), detail::placement<Plan>::adjoint(e)});
  return all;
}();

}  // namespace tenon::inline v0_1::engine
