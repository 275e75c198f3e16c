// network: a whole graph as a value: edges (the values between operations), operations in order, parameters
// and programs. It knows shapes and names, but neither memory nor machine.
#pragma once

#include "tenon/diagnostics/problem.hpp"
#include "tenon/equation/rewrite.hpp"
#include "tenon/graph/initializer.hpp"
#include "tenon/graph/operation_kind.hpp"
#include "tenon/program/program.hpp"
#include "tenon/program/windows.hpp"

// How many times the usual number of nodes, edges, inputs .. a graph may have. Define it alike for all files of a program.
#ifndef TENON_ROOM_OF_GRAPHS
#  define TENON_ROOM_OF_GRAPHS 1
#endif

namespace tenon::inline v0_1::ir {

inline constexpr int room_of_graphs = TENON_ROOM_OF_GRAPHS;

// A bound on the steps of a sequence. Lengths are data, one per sequence, and belong to the axis. A grid has lines of
// places and is always full. An axis made of windows over another axis has one step for each window.
struct time_axis {
  label name{};
  int bound = 0;
  extents grid{0, 0};  // height 0: a sequence
  int from = -1;       // the other axis
  windows made{};
  int most_steps = 0;  // that its readers have, such as learned positions; 0: any number

  constexpr bool is_grid() const { return grid.height > 0; }
};

// The last states of a recurrence are outputs of its node under these names. A stream's states have them, too.
constexpr label name_of_state(int s) {
  label inner = s == 0 ? "h_n" : s == 1 ? "c_n" : "state_";
  if (s > 1) inner.append(s).append("_n");
  return inner;
}

// What flows between two operations: [time?, batch, size] numbers, or [time?, batch] tokens in 0 .. range-1.
// With layers > 1 the leading axis is one of layers: [layers, batch, size], as in PyTorch's h_n.
struct edge {
  name path{};
  int size = 0;        // features; 0 for tokens
  int range = 0;       // tokens: how many there are; 0 for numbers
  int axis = -1;       // index of its time axis, -1: none
  extents grid{0, 0};  // lines and places of that axis; height 0: it has none
  int layers = 1;
  bool optional = false;
  // A part of another edge: its columns [column, column + size), or one of its layers.
  int whole = -1, column = 0, layer = 0;

  constexpr bool is_token() const { return range > 0; }
  constexpr bool is_sequence() const { return axis >= 0; }
  constexpr bool is_grid() const { return grid.height > 0; }
};

struct operation {
  operation_kind kind{};
  name path{};
  // In the order in which it was laid out. Its random numbers depend on it, whatever a plan makes of the network.
  int number = 0;
  list<int, max_sources> in{};  // edges
  list<int, max_sources> out{};
  int program = -1;  // apply, scan
  int inner = -1;    // the axis that each step sees whole; -1: none
  int axis = -1;     // the axis that it runs along, if none of its inputs is a sequence
  list<int, max_symbols>
      parameters{};       // gather: the table; others: one for each stored parameter of the program
  bool reversed = false;  // scan: from each sequence's last element to its first
  double rate = 0;        // dropout
  int skipped = -1;       // gather: padding_idx
  bool by_frequency =
      false;            // gather: the gradient of a row is divided by the count of its token in the batch
  bool sparse = false;  // gather: training touches only the rows that it looks up
  double scale = 1;     // a loss: its factor in the sum of all losses
  windows over{};       // windows
  double outside = 0;   // windows: the value of places outside the border
};

// Some rows of a parameter that start differently from the rest.
struct rows_apart {
  int first = 0, count = 0;
  initializer start{};
};

struct parameter {
  name path{};
  int rows = 0;
  int columns = 0;  // 0: a vector
  int offset = 0;   // elements from the start of the block
  initializer start{};
  rows_apart apart{};
  int places = 1;    // of a convolution's matrix: the places in its window
  int padding = -1;  // of a table: the row that starts at 0 and gets no gradient
  int tied_to = -1;  // the parameter whose storage it shares
  // Of a convolution's weight, whose columns are [height, width, features]; [width, features] where height is 0. In
  // PyTorch it is [rows, features, height, width].
  int kernel_height = 0, kernel_width = 0;
  bool frozen = false;  // no gradient is computed, and training leaves it as it is

  constexpr int elements() const { return rows * (columns > 0 ? columns : 1); }
};

// A node as the user wrote it, and what was laid out for it: operations [first_operation, last_operation), and
// parameters in the same way.
struct node_record {
  name path{};
  list<int, max_sources> in;  // edges
  int out = -1;
  int first_operation = 0, last_operation = 0;
  int first_parameter = 0, last_parameter = 0;
};

template <int Edges, int Operations, int Parameters, int Programs, int Axes, int Inputs, int Outputs,
          int Nodes, class Lists = growing>
struct network {
  list<node_record, Nodes> nodes;
  list<edge, Edges> edges;
  list<operation, Operations> operations;
  list<parameter, Parameters> parameters;
  list<basic_program<Lists>, Programs> programs;
  list<time_axis, Axes> axes;
  list<int, Inputs> inputs;    // edges the caller fills, in the order of the graph
  list<int, Outputs> outputs;  // edges the caller reads, and the names the graph gives them
  list<name, Outputs> output_names;
  list<int, 8> losses;         // the edges a training plan starts from: their sum is the loss
  int learned_elements = 0;    // the front of the block, which training changes; alignment included
  int parameter_elements = 0;  // size of the block, alignment included

  constexpr int find_edge(const name& path) const {
    for (int e = 0; e < edges.size; ++e)
      if (edges[e].path == path) return e;
    return -1;
  }
  constexpr int find_parameter(const name& path) const {
    for (int p = 0; p < parameters.size; ++p)
      if (parameters[p].path == path) return p;
    return -1;
  }
  // Position of edge e among the inputs or the outputs, or -1.
  constexpr int find_input(int e) const { return inputs.find(e); }
  constexpr bool is_output(int e) const {
    for (int o : outputs)
      if (owner(o) == e) return true;
    return false;
  }
  // The edge that owns the memory of edge e.
  constexpr int owner(int e) const {
    while (edges[e].whole >= 0) e = edges[e].whole;
    return e;
  }
};

// The lengths of a network's lists, and of its longest program.
struct network_sizes {
  int edges = 0, operations = 0, parameters = 0, programs = 0, axes = 0, inputs = 0, outputs = 0, nodes = 0,
      longest_program = 0;

  constexpr bool fit(const network_sizes& room) const {
    return edges <= room.edges && operations <= room.operations && parameters <= room.parameters &&
           programs <= room.programs && axes <= room.axes && inputs <= room.inputs &&
           outputs <= room.outputs && nodes <= room.nodes && longest_program <= room.longest_program;
  }
};
template <class Network>
constexpr network_sizes sizes_of(const Network& net) {
  int longest = 0;
  for (const auto& p : net.programs)
    if (const int here = p.longest(); here > longest) longest = here;
  return {net.edges.size,    net.operations.size, net.parameters.size,
          net.programs.size, net.axes.size,       net.inputs.size,
          net.outputs.size,  net.nodes.size,      longest};
}
template <network_sizes S>
struct network_in {  // (an alias by itself crashes g++ 12)
  using type = network<S.edges, S.operations, S.parameters, S.programs, S.axes, S.inputs, S.outputs, S.nodes,
                       kept<S.longest_program>>;
};

template <class From, class To>
constexpr void copy_network(const From& from, To& to) {
  const auto copy = [](const auto& items, auto& copies) {
    for (const auto& item : items) copies.add(item);
  };
  copy(from.nodes, to.nodes);
  copy(from.edges, to.edges);
  copy(from.operations, to.operations);
  copy(from.parameters, to.parameters);
  copy(from.programs, to.programs);
  copy(from.axes, to.axes);
  copy(from.inputs, to.inputs);
  copy(from.outputs, to.outputs);
  copy(from.output_names, to.output_names);
  to.losses = from.losses;
  to.learned_elements = from.learned_elements;
  to.parameter_elements = from.parameter_elements;
}

// Where symbol s of an operation's program is stored: the parameter, and the first element within it.
struct stored_symbol {
  int parameter = 0, first = 0;
};
template <class Network>
constexpr stored_symbol find_stored(const Network& net, const operation& o, int s) {
  const auto& p = net.programs[o.program];
  int stored = 0, used = 0;
  for (int q = 0; q < s; ++q) {
    used += p.symbols[q].elements();
    if (used == net.parameters[o.parameters[stored]].elements()) {
      ++stored;
      used = 0;
    }
  }
  return {o.parameters[stored], used};
}
// The offset of the symbol in the parameter block.
template <class Network>
constexpr int symbol_offset(const Network& net, const operation& o, int s) {
  const stored_symbol found = find_stored(net, o, s);
  return net.parameters[found.parameter].offset + found.first;
}
template <class Network>
constexpr bool is_frozen_symbol(const Network& net, const operation& o, int s) {
  return net.parameters[find_stored(net, o, s).parameter].frozen;
}

}  // namespace tenon::inline v0_1::ir
