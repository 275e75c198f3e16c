// places: where the edges and the private memory of operations stand during a run, and what a run works on.
//
// Padding: values and adjoints of sequences are zero past each row's end. Of an edge without a time axis only
// the rows that were given are computed; the others hold anything, and no sum over rows includes them.
#pragma once

#include "tenon/engine/facts.hpp"
#include "tenon/engine/program_memory.hpp"
#include "tenon/engine/row_order.hpp"

#include <cstdint>

namespace tenon::engine {

// Is told of each operation that has run forward, by its number.
struct run_observer {
  void (*seen)(run_observer&, int operation);
};

// What a run works on. All pointers are set by the session.
template <class T>
struct run_context {
  T* memory = nullptr;                  // memory_of<Plan>.size elements
  T* packed = nullptr;                  // memory_of<Plan>.packed_size elements
  const int* const* tokens = nullptr;   // by edge: [time?, batch]; negative: padding
  const int* const* lengths = nullptr;  // by time axis: [batch]
  const int* steps = nullptr;           // by time axis: the longest length
  const int* full_steps = nullptr;      // by time axis: the shortest length; no row ends before it
  int rows = 0;                         // given; the lengths of the others are 0
  bool starts = true;                   // streaming: the first step of a sequence, on initial states
  bool is_odd = false;                  // streaming: every other step
  std::uint64_t seed = 0;               // dropout
  std::uint64_t step = 0;
  int counted = 0;  // rows with a target in the batch that this run is a part of; 0: the run is all of it
  double loss = 0;
  const T* parameters = nullptr;
  T* gradients = nullptr;  // differentiation: what the backward pass adds to
  // By edge: adjoints of outputs that stand in the caller's memory; null data: in this.
  const binding<const T>* given_adjoints = nullptr;
  run_observer* observer = nullptr;  // differentiation
};

// Where an edge stands in the block of memory, in elements: row r of time step t at `at + t * step + r * row`.
struct edge_place {
  long at = 0;
  int row = 0, step = 0;
};

// Where everything stands that an operation works on.
struct operation_places {
  int axis = -1;                                   // the time axis that it walks along; -1: none
  bool reversed = false;                           // scan: from the last step to the first
  int slabs = 1;                                   // of its first output
  unsigned added = 0;                              // inputs whose shares are added to those of others: bit i
  list<edge_place, max_sources> in{};              // values of its inputs
  list<edge_place, max_sources> out{};             // and outputs
  list<edge_place, max_sources> adjoint{};         // of its outputs
  list<edge_place, max_sources> share{};           // by input: where it writes its share of the adjoint,
  list<edge_place, max_sources> sum{};             // and where the whole adjoint stands
  list<int, max_symbols> symbols{};                // offsets in the block of parameters
  int tokens = -1;                                 // the edge that gives it tokens or targets
  int table = 0, entries = 0, skipped_entry = -1;  // of rows that it looks up: offset, rows, padding row
  int number = 0;                                  // of the operation
  int output = -1;                                 // the edge of its first output
  double rate = 0;                                 // dropout
  operation_memory own{};
  const region* regions = nullptr;  // of the plan
  const long* packed = nullptr;     // offsets of packed weights
};

// The places of one operation in one run.
template <class T>
struct places {
  run_context<T>& c;
  const operation_places& o;

  T* at(int region) const { return c.memory + o.regions[region].offset; }
  T* packed_weight(int kernel) const { return c.packed + o.packed[o.own.packed + kernel]; }
  const int* tokens() const { return c.tokens[o.tokens]; }

  binding<T> rows_at(const edge_place& e) const { return {c.memory + e.at, e.row, e.step}; }
  binding<T> in(int i) const { return rows_at(o.in[i]); }
  binding<T> out(int i) const { return rows_at(o.out[i]); }
  binding<T> adjoint(int i) const { return rows_at(o.adjoint[i]); }
  // Of the first output; the caller's, where that is read in place.
  binding<const T> output_adjoint() const {
    if (c.given_adjoints != nullptr && c.given_adjoints[o.output].data != nullptr)
      return c.given_adjoints[o.output];
    return as_source(adjoint(0));
  }
  binding<T> share(int i) const { return rows_at(o.share[i]); }
  binding<T> sum(int i) const { return rows_at(o.sum[i]); }

  // Along the operation's time axis.
  int steps() const { return o.axis < 0 ? 1 : c.steps[o.axis]; }
  int full_steps() const { return c.full_steps[o.axis]; }
  const int* lengths() const { return c.lengths[o.axis]; }
};

namespace detail {

template <class Plan>
struct placement {
  static constexpr const auto& net = Plan::net;
  static constexpr const auto& memory = memory_of<Plan>;
  static constexpr int B = Plan::batch;

  // A slab or some columns of another edge are found there.
  static constexpr edge_place place_of(int e, const int* regions) {
    const int owner = net.owner(e);
    edge_place mine{.row = row_order<Plan>::row_stride(owner)};
    mine.step = net.edges[e].axis < 0 ? 0 : row_order<Plan>::step_stride(owner);
    for (int part = e; net.edges[part].whole >= 0; part = net.edges[part].whole)
      mine.at += net.edges[part].column + long(net.edges[part].slab) * B * mine.row;
    if (regions[owner] >= 0) mine.at += memory.regions[regions[owner]].offset;
    return mine;
  }
  static constexpr edge_place value(int e) { return place_of(e, memory.value); }
  static constexpr edge_place adjoint(int e) { return place_of(e, memory.adjoint); }
  // Memory of its own for a share that nobody wants, or that is added to others.
  static constexpr edge_place private_share(int o, int i) {
    const edge& e = net.edges[net.operations[o].in[i]];
    return {.at = memory.regions[memory.operations[o].contributions + i].offset,
            .row = e.size,
            .step = e.axis < 0 ? 0 : e.size * B};
  }

  static constexpr operation_places of(int o) {
    const operation& op = net.operations[o];
    const operation_facts& facts = facts_of<Plan>[o];
    operation_places p{.axis = axis_of<Plan>(o),
                       .reversed = op.reversed,
                       .number = o,
                       .output = op.out[0],
                       .rate = op.rate,
                       .own = memory.operations[o],
                       .regions = memory.regions.begin(),
                       .packed = memory.packed.begin()};
    p.added = find_added<Plan>(o, facts);
    for (int i = 0; i < op.in.size; ++i) {
      const int e = op.in[i];
      p.in.add(e < 0 ? edge_place{} : value(e));
      p.sum.add(e < 0 ? edge_place{} : adjoint(e));
      const bool is_whole = facts.has(facts.wanted, i) && !facts.has(p.added, i);
      p.share.add(e < 0 || !facts.differentiated ? edge_place{}
                  : is_whole                     ? adjoint(e)
                                                 : private_share(o, i));
    }
    for (int e : op.out) p.out.add(value(e)), p.adjoint.add(adjoint(e));
    if (op.program >= 0)
      for (int s = 0; s < net.programs[op.program].symbols.size; ++s)
        p.symbols.add(symbol_offset(net, op, s));
    if (op.what == work::cross_entropy) p.tokens = op.in[1];
    if (const int gather = op.what == work::gather ? o : Plan::tables[o]; gather >= 0) {
      const parameter& table = net.parameters[net.operations[gather].parameters[0]];
      p.tokens = net.operations[gather].in[0];
      p.table = table.offset, p.entries = table.rows, p.skipped_entry = net.operations[gather].skipped;
    }
    return p;
  }
};

}  // namespace detail

// Of all operations of a plan.
template <class Plan>
inline constexpr auto places_of = [] {
  list<operation_places, Plan::net.operations.size> all;
  for (int o = 0; o < Plan::net.operations.size; ++o) all.add(detail::placement<Plan>::of(o));
  return all;
}();
// By edge: where its value stands, and its adjoint.
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

}  // namespace tenon::engine
