// graph: a network as a type. A flat list of named entries, checked as a whole before anything heavy is instantiated.
//
//   using index_lookup = graph<"index_lookup",
//       input<"tokens", token<10>, steps<10>>,
//       node<"embedded", embedding<10, 128>, "tokens">,
//       ...
//       output<"logits">>;
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/graph/diagnose.hpp"

namespace tenon {

// --- what an input carries --------------------------------------------------------------------------------------------------
template <int Range>
struct token {  // whole numbers in 0 .. Range-1
  static constexpr void describe(builder& b, edge& e) {
    b.require(Range > 0, {.rule = "token<range> needs a positive range,", .axis = "tokens", .expected = 1, .got = Range, .fix = "write the vocabulary's size"});
    e.range = Range;
  }
};
template <int Size>
struct features {  // rows of numbers
  static constexpr void describe(builder& b, edge& e) {
    b.require(Size > 0, {.rule = "features<size> needs a positive size,", .axis = "features", .expected = 1, .got = Size, .fix = "write the width of a row"});
    e.size = Size;
  }
};
template <int Bound, text Label = "time">
struct steps {  // a sequence of at most Bound steps; inputs with one label share their lengths
  static constexpr label name = Label;
  static constexpr int bound = Bound;
  static constexpr void describe(builder& b, edge& e) {
    b.require(Bound > 0, {.rule = "steps<bound> needs a positive bound,", .axis = "time", .expected = 1, .got = Bound, .fix = "write the longest sequence's length"});
    e.axis = b.time_axis_of(Label, Bound);
  }
};
template <int Bound, text Label = "time">
using time = steps<Bound, Label>;
template <int Count>
struct layers {  // input: a leading axis of layers (times directions), [Count, batch, features]; recurrent: stacked layers
  static constexpr int count = Count;
  static constexpr void describe(builder& b, edge& e) {
    b.require(Count > 0, {.rule = "layers<count> needs a positive count,", .axis = "layers", .expected = 1, .got = Count, .fix = "layers times directions"});
    e.slabs = Count;
  }
};

// --- the entries of a graph ------------------------------------------------------------------------------------------------------
// Something the caller provides: input<"tokens", token<10>, steps<10>>, input<"x", features<8>>.
template <text Name, class... Parts>
struct input {
  static constexpr bool is_input = true;
  static constexpr void build(builder& b) {
    b.within(Name.view(), [&] {
      edge e;
      (Parts::describe(b, e), ...);
      b.require(e.size > 0 || e.range > 0, {.rule = "the input says neither token<range> nor features<size>", .fix = "add one of them"});
      b.require(e.size == 0 || e.range == 0, {.rule = "the input says both token<range> and features<size>", .fix = "keep one of them"});
      b.require(b.find_output(b.here()) < 0, {.rule = "two entries have this name", .fix = "rename one of them"});
      if (!b.ok()) return -1;
      const int made = b.add_edge(e);
      b.name_output("", made);
      return b.net.inputs.add(made);
    });
  }
};

// A layer, a bare equation or a nested graph, fed by the entries named.
template <text Name, class What, text... From>
struct node {
  static constexpr void build(builder& b, const name& scope) {
    b.within(Name.view(), [&] {
      if (!b.require(b.find_output(b.here()) < 0, {.rule = "two entries have this name", .fix = "rename one of them"})) return -1;
      edges in;
      (find(b, scope, From.view(), in), ...);
      if (!b.ok()) return -1;
      if constexpr (Node<What>) {
        const int out = tenon::build<What>(b, in);
        if (b.ok()) b.name_output("", out);
      } else {
        b.require(false, {.rule = "what stands in the node is neither a layer nor an equation", .fix = "a cell belongs into recurrent<cell, hidden<n>>; an equation has at(x)"});
      }
      return 0;
    });
  }

 private:
  static constexpr void find(builder& b, const name& scope, std::string_view from, edges& in) {
    const name wanted = join(scope, from);
    const int found = b.find_output(wanted);
    if (found >= 0) {
      in.add(found);
      return;
    }
    const name near = b.nearest_output(wanted);
    sentence fix = "sources stand above the nodes that use them";
    if (!near.empty()) fix = sentence("did you mean '").append(near.view()).append("'?");
    b.require(false, {.rule = sentence("no entry above is named '").append(from).append("'"), .fix = fix});
  }
};

// What the caller reads: a node, or a node's second output such as "states.h_n".
template <text Name>
struct output {
  static constexpr void build(builder& b, const name& scope) {
    const int e = b.find_output(join(scope, Name.view()));
    const name near = b.nearest_output(join(scope, Name.view()));
    b.require(e >= 0, {.rule = "the output is no entry of the graph", .where = Name,
                       .fix = near.empty() ? sentence("name a node") : sentence("did you mean '").append(near.view()).append("'?")});
    if (b.ok()) b.net.outputs.add(e), b.net.output_names.add(Name);
  }
};

// Parameter `Other` is parameter `Name`: one storage, one gradient.  tie<"embedded.weight", "logits.weight">
template <text Name, text Other>
struct tie {
  static constexpr void build(builder& b, const name& scope) {
    const int first = b.net.find_parameter(join(scope, Name.view())), second = b.net.find_parameter(join(scope, Other.view()));
    b.require(first >= 0, {.rule = "tie names no parameter", .where = Name, .fix = "parameters are named node.weight"});
    b.require(second >= 0, {.rule = "tie names no parameter", .where = Other, .fix = "parameters are named node.weight"});
    if (!b.ok()) return;
    const parameter &p = b.net.parameters[first], &q = b.net.parameters[second];
    const char* fix = "tied parameters have one shape";
    b.require(p.rows == q.rows, {.rule = "tied parameters differ:", .axis = "rows", .expected = p.rows, .got = q.rows, .where = Name, .source = q.path, .fix = fix});
    b.require(p.columns == q.columns, {.rule = "tied parameters differ:", .axis = "columns", .expected = p.columns, .got = q.columns, .where = Name, .source = q.path, .fix = fix});
    b.net.parameters[second].tied_to = first;
  }
};

namespace detail {

template <class Entry>
inline constexpr bool is_input = false;
template <text Name, class... Parts>
inline constexpr bool is_input<input<Name, Parts...>> = true;
template <class Entry>
inline constexpr bool is_output = false;
template <text Name>
inline constexpr bool is_output<output<Name>> = true;

template <class Entry>
constexpr void build_entry(builder& b, const name& scope) {
  if (!b.ok()) return;
  if constexpr (is_input<Entry>) Entry::build(b);
  else Entry::build(b, scope);
}

}  // namespace detail

template <text Name, class... Entries>
struct graph {
  static constexpr std::string_view title = Name.view();

  // The whole graph on its own: the inputs are the caller's.
  static constexpr void lay_out(builder& b) {
    (detail::build_entry<Entries>(b, name{}), ...);
    b.require(b.net.outputs.size > 0, {.rule = "the graph has no output", .where = Name, .fix = "add output<\"node\">"});
  }

  // As a node of another graph: the inputs are given edges. Returns the first output; the others are "node.name".
  static constexpr int build(builder& b, const edges& given) {
    constexpr int inputs = (0 + ... + (detail::is_input<Entries> ? 1 : 0));
    if (!b.require_inputs(given, inputs, inputs, "the graph", "list one source for each of its inputs")) return -1;
    const name scope = b.here();
    int next = 0, first_output = -1;
    (build_nested<Entries>(b, scope, given, next, first_output), ...);
    b.require(first_output >= 0, {.rule = "the nested graph has no output", .fix = "add output<\"node\"> to it"});
    return first_output;
  }

 private:
  template <class Entry>
  static constexpr void build_nested(builder& b, const name& scope, const edges& given, int& next, int& first_output) {
    if (!b.ok()) return;
    if constexpr (detail::is_input<Entry>) bind(b, Entry{}, given[next++]);
    else if constexpr (detail::is_output<Entry>) keep_output(b, Entry{}, scope, first_output);
    else Entry::build(b, scope);
  }
  template <text Inner, class... Parts>
  static constexpr void bind(builder& b, input<Inner, Parts...>, int given) {
    b.within(Inner.view(), [&] {
      edge e;
      (describe_bound<Parts>(b, e, given), ...);
      const edge& g = b[given];
      const char* fix = "the nested graph's input and its source must agree";
      b.require(e.range == g.range, {.rule = "the input expects", .axis = "tokens", .expected = e.range, .got = g.range, .source = g.path, .fix = fix});
      b.require(e.size == g.size, {.rule = "the input expects", .axis = "features", .expected = e.size, .got = g.size, .source = g.path, .fix = fix});
      b.name_output("", given);
      return 0;
    });
  }
  template <class Part>
  static constexpr void describe_bound(builder& b, edge& e, int given) {
    if constexpr (requires { Part::bound; }) {
      const bool sequence = b.require_sequence(given, "the input");
      if (sequence) {
        const int got = b.net.axes[b[given].axis].bound;
        b.require(got == Part::bound, {.rule = "the input expects", .axis = "time", .expected = Part::bound, .got = got, .source = b[given].path,
                                       .fix = "the nested graph's input and its source must agree"});
      }
    } else {
      Part::describe(b, e);
    }
  }
  template <text Inner>
  static constexpr void keep_output(builder& b, output<Inner>, const name& scope, int& first_output) {
    const int e = b.find_output(join(scope, Inner.view()));
    b.require(e >= 0, {.rule = sentence("the output '").append(Inner.view()).append("' is no entry of the graph"), .fix = "name one of its nodes"});
    if (b.ok() && first_output < 0) first_output = e;
  }
};

template <class T>
inline constexpr bool is_graph = false;
template <text Name, class... Entries>
inline constexpr bool is_graph<graph<Name, Entries...>> = true;
template <class T>
concept Graph = is_graph<T>;

// --- the finished network ----------------------------------------------------------------------------------------------------------
namespace detail {

// Offsets of all parameters in one block. Those of one operation that follow each other are contiguous, so that grouped
// products see one matrix; a tied parameter has the offset of its partner.
constexpr void check_products(builder& b);
constexpr void place_parameters(builder& b) {
  int at = 0;
  for (parameter& p : b.net.parameters) {
    if (p.tied_to >= 0) continue;
    p.offset = at;
    at += p.elements();
  }
  for (parameter& p : b.net.parameters)
    if (p.tied_to >= 0) p.offset = b.net.parameters[p.tied_to].offset;
  b.net.parameter_elements = (at + builder::alignment - 1) / builder::alignment * builder::alignment;
  check_products(b);
}
// A grouped product reads its symbols as one matrix: a tie must not tear one of them out.
constexpr void check_products(builder& b) {
  for (const operation& o : b.net.operations) {
    if (o.program < 0) continue;
    const program& p = b.net.programs[o.program];
    for (const instruction& i : p.code)
      if (i.code == op::contract)
        for (int s = i.first; s + 1 < i.first + i.count; ++s)
          b.require(symbol_offset(b.net, o, s) + p.symbols[s].elements() == symbol_offset(b.net, o, s + 1),
                    {.rule = "a tied parameter is part of a product of several gates", .where = o.path, .fix = "tie all gates of one input, in their order"});
  }
}

// Objective: void, or a type whose build(builder&) adds the loss and returns its edge.
template <class G, class Objective>
constexpr builder lay_out() {
  builder b;
  G::lay_out(b);
  if constexpr (!std::same_as<Objective, void>)
    if (b.ok()) b.net.loss = Objective::build(b);
  if (b.ok()) place_parameters(b);
  return b;
}

struct network_counts {
  int edges, operations, parameters, programs, axes, inputs, outputs;
  problem wrong;
};
template <class G, class Objective>
constexpr network_counts count() {
  const builder laid_out = lay_out<G, Objective>();
  const auto& net = laid_out.net;
  return {net.edges.size, net.operations.size, net.parameters.size, net.programs.size, net.axes.size, net.inputs.size, net.outputs.size, laid_out.wrong};
}
template <class G, class Objective>
inline constexpr network_counts counts = count<G, Objective>();

template <class From, class To>
constexpr void copy_list(const From& from, To& to) {
  for (const auto& item : from) to.add(item);
}

}  // namespace detail

// Does the graph fit together? False prints the problem, once, as one error; everything after it is then kept silent.
template <Graph G, class Objective = void>
inline constexpr bool fits = !detail::counts<G, Objective>.wrong;

template <Graph G, class Objective = void>
struct problem_of {
  static constexpr detail::cut_explanation value{detail::counts<G, Objective>.wrong};
};
template <Graph G, class Objective = void>
constexpr bool check() {
  return detail::is_right<problem_of<G, Objective>>();
}

namespace detail {
template <class G, class Objective>
constexpr auto shrink() {
  constexpr network_counts c = counts<G, Objective>;
  if constexpr (c.wrong.rule.size > 0) {
    return network<0, 0, 0, 0, 0, 0, 0>{};
  } else {
    const builder laid_out = lay_out<G, Objective>();
    network<c.edges, c.operations, c.parameters, c.programs, c.axes, c.inputs, c.outputs> net;
    copy_list(laid_out.net.edges, net.edges);
    copy_list(laid_out.net.operations, net.operations);
    copy_list(laid_out.net.parameters, net.parameters);
    copy_list(laid_out.net.programs, net.programs);
    copy_list(laid_out.net.axes, net.axes);
    copy_list(laid_out.net.inputs, net.inputs);
    copy_list(laid_out.net.outputs, net.outputs);
    copy_list(laid_out.net.output_names, net.output_names);
    net.loss = laid_out.net.loss;
    net.parameter_elements = laid_out.net.parameter_elements;
    return net;
  }
}
}  // namespace detail

// The network of a graph, as a constant of exactly its size; an empty one where the graph does not fit.
template <Graph G, class Objective = void>
inline constexpr auto network_of = detail::shrink<G, Objective>();

}  // namespace tenon
