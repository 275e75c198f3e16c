// graph: a network as a type. A flat list of named entries, checked as a whole before anything heavy is
// instantiated.
//
//   using index_lookup = graph<"index_lookup",
//       input<"tokens", token<10>, steps<10>>,
//       node<"embedded", embedding<10, 128>, "tokens">,
//       ...
//       output<"logits">>;
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/graph/diagnose.hpp"
#include "tenon/meta/type_name.hpp"

namespace tenon {

// --- what an input carries ---------------------------------------------------------------------------------
template <int Range>
struct token {  // whole numbers in 0 .. Range-1
  static constexpr void describe(builder& b, edge& e) {
    if (Range <= 0)
      b.fail({.rule = sentence("token<").append(Range).append("> has no tokens"),
              .fix = "write the size of the vocabulary"});
    e.range = Range;
  }
};
template <int Size>
struct features {  // rows of numbers
  static constexpr void describe(builder& b, edge& e) {
    if (Size <= 0)
      b.fail({.rule = sentence("features<").append(Size).append("> has no features"),
              .fix = "write the width of a row"});
    e.size = Size;
  }
};
template <int Bound, text Label = "time">
struct steps {  // a sequence of at most Bound steps; inputs with one label share their lengths
  static constexpr label name = Label;
  static constexpr int bound = Bound;
  static constexpr void describe(builder& b, edge& e) {
    if (Bound <= 0)
      b.fail({.rule = sentence("steps<").append(Bound).append("> has no steps"),
              .fix = "write the length of the longest sequence"});
    e.axis = b.time_axis_of(Label, Bound);
  }
};
template <int Count>
// input: a leading axis of layers (times directions), [Count, batch, features]; recurrent: stacked layers
struct layers {
  static constexpr int count = Count;
  static constexpr void describe(builder& b, edge& e) {
    if (Count <= 0)
      b.fail({.rule = sentence("layers<").append(Count).append("> has no layers"),
              .fix = "write layers times directions"});
    e.slabs = Count;
  }
};

namespace detail {
constexpr bool is_new_name(builder& b, std::string_view name) {
  if (name.empty()) b.fail({.rule = "an entry has no name", .fix = "node<\"name\", layer, \"source\">"});
  for (char c : name)
    if (c == '.')
      b.fail({.rule = "a name has a '.'",
              .fix = "choose another: '.' stands between a node and its second outputs"});
  if (b.is_known(b.here())) b.fail({.rule = "two entries have this name", .fix = "rename one of them"});
  return b.ok();
}
template <class Part>
constexpr void describe_input(builder& b, edge& e) {
  if constexpr (requires { Part::describe(b, e); }) Part::describe(b, e);
  else
    b.fail({.rule = sentence("'").append(type_name<Part>().view()).append("' is no part of an input"),
            .fix = "its parts: token<range> or features<size>, steps<bound>, layers<count>"});
}
}  // namespace detail

// --- the entries of a graph --------------------------------------------------------------------------------
// Something the caller provides: input<"tokens", token<10>, steps<10>>, input<"x", features<8>>.
template <text Name, class... Parts>
struct input {
  static constexpr bool is_input = true;
  static constexpr void build(builder& b) {
    b.within(Name.view(), [&] {
      edge e;
      (detail::describe_input<Parts>(b, e), ...);
      if (e.size == 0 && e.range == 0)
        b.fail({.rule = "the input says neither token<range> nor features<size>", .fix = "add one of them"});
      if (e.size > 0 && e.range > 0)
        b.fail({.rule = "the input says both token<range> and features<size>", .fix = "keep one of them"});
      if (!b.ok() || !detail::is_new_name(b, Name.view())) return -1;
      const int made = b.add_edge(e);
      b.name_output("", made);
      return b.net.inputs.add(made);
    });
  }
  // In a nested graph: the input is an edge of the graph around it.
  static constexpr void bind(builder& b, int given) {
    b.within(Name.view(), [&] {
      edge e;
      (describe_bound<Parts>(b, e, given), ...);
      const edge& g = b[given];
      if (e.range > 0 && !g.is_token())
        b.fail({.rule = "the input expects tokens, got numbers", .source = g.path, .fix = agree});
      if (e.range == 0 && g.is_token())
        b.fail({.rule = "the input expects numbers, got tokens", .source = g.path, .fix = agree});
      expect(b, g, "tokens", e.range, g.range);
      expect(b, g, "features", e.size, g.size);
      expect(b, g, "layers", e.slabs, g.slabs);
      if constexpr (!(... || requires { Parts::bound; })) b.require_no_sequence(given, "the input");
      b.name_output("", given);
      return 0;
    });
  }

 private:
  template <class Part>
  static constexpr void describe_bound(builder& b, edge& e, int given) {
    if constexpr (!requires { Part::bound; }) detail::describe_input<Part>(b, e);
    else if (b.require_sequence(given, "the input"))
      expect(b, b[given], "steps", Part::bound, b.net.axes[b[given].axis].bound);
  }
  static constexpr const char* agree = "the nested graph's input and its source must agree";
  static constexpr void expect(builder& b, const edge& from, const char* axis, int expected, int got) {
    if (expected != got)
      b.fail({.rule = "the input expects",
              .axis = axis,
              .expected = expected,
              .got = got,
              .source = from.path,
              .fix = agree});
  }
};

// A layer, a bare equation or a nested graph, fed by the entries named.
template <text Name, class What, text... From>
struct node {
  static constexpr bool is_node = true;
  static constexpr void build(builder& b, const name& scope) {
    b.within(Name.view(), [&] {
      if (!detail::is_new_name(b, Name.view())) return -1;
      edges in;
      (find(b, scope, From.view(), in), ...);
      if (!b.ok()) return -1;
      node_record record{.path = b.here(), .in = in};
      record.first_operation = b.net.operations.size, record.first_parameter = b.net.parameters.size;
      record.out = tenon::build<What>(b, in);
      record.last_operation = b.net.operations.size, record.last_parameter = b.net.parameters.size;
      if (b.ok()) b.name_output("", record.out);
      if constexpr (!requires { What::title; })
        b.net.nodes.add(record);  // a graph's inner nodes have records of their own
      return record.out;
    });
  }
  // Calls f(path, layer's type name) for the nodes in it, as the records of the network are ordered.
  template <class F>
  static constexpr void name_layers(const name& scope, F& f) {
    const name path = join(scope, Name.view());
    if constexpr (requires { What::title; }) What::name_layers(path, f);
    else f(path, type_name<What>());
  }

 private:
  static constexpr void find(builder& b, const name& scope, std::string_view from, edges& in) {
    const name wanted = join(scope, from);
    const int found = b.find_output(wanted);
    if (found >= 0) in.add(found);
    else
      b.fail({.rule = sentence("no entry above is named '").append(from).append("'"),
              .fix = b.suggest(scope, from, "sources stand above the nodes that use them")});
  }
};

// What the caller reads: a node, or a node's second output such as "states.h_n".
template <text Name>
struct output {
  static constexpr bool is_output = true;
  static constexpr void build(builder& b, const name& scope) {
    const int e = b.find_output(join(scope, Name.view()));
    if (e < 0)
      b.fail({.rule = sentence("the output '").append(Name.view()).append("' is no entry of the graph"),
              .fix = b.suggest(scope, Name.view(), "name a node, or one of its outputs: states.h_n")});
    if (b.net.output_names.find(Name) >= 0)
      b.fail({.rule = sentence("two outputs are named '").append(Name.view()).append("'"),
              .fix = "remove one of them"});
    if (b.ok()) b.net.outputs.add(e), b.net.output_names.add(Name);
  }
  // In a nested graph: the first of its outputs is what the node delivers.
  static constexpr void keep(builder& b, const name& scope, int& first_output) {
    const int e = b.find_output(join(scope, Name.view()));
    if (e < 0)
      b.fail({.rule = sentence("the output '").append(Name.view()).append("' is no entry of the graph"),
              .fix = b.suggest(scope, Name.view(), "name one of its nodes")});
    else if (first_output < 0) first_output = e;
  }
};

// Parameter `Other` is parameter `Name`: one storage, one gradient.  tie<"embedded.weight", "logits.weight">
template <text Name, text Other>
struct tie {
  static constexpr bool is_tie = true;
  static constexpr void build(builder& b, const name& scope) {
    const int first = b.net.find_parameter(join(scope, Name.view())),
              second = b.net.find_parameter(join(scope, Other.view()));
    if (first < 0 || second < 0) {
      const std::string_view unknown = first < 0 ? Name.view() : Other.view();
      nearest known(join(scope, unknown));
      for (const parameter& p : b.net.parameters) known.consider(p.path);
      b.fail({.rule = sentence("tie: no parameter is named '").append(unknown).append("'"),
              .fix = known.suggestion("parameters are named node.weight, and stand above the tie")});
      return;
    }
    const parameter &p = b.net.parameters[first], &q = b.net.parameters[second];
    const auto differ = [&](const char* axis, int expected, int got) {
      b.fail({.rule = "tied parameters differ:",
              .axis = axis,
              .expected = expected,
              .got = got,
              .where = Name,
              .source = q.path,
              .fix = "tied parameters have one shape"});
    };
    if (p.rows != q.rows) differ("rows", p.rows, q.rows);
    if (p.columns != q.columns) differ("columns", p.columns, q.columns);
    b.net.parameters[second].tied_to = first;
  }
};

namespace detail {

// What an entry is, it says itself: nvcc 13 matches no partial specialisation over a text.
template <class Entry>
inline constexpr bool is_input = requires {
  Entry::is_input;
};
template <class Entry>
inline constexpr bool is_output = requires {
  Entry::is_output;
};

template <class Entry>
constexpr void refuse_entry(builder& b) {
  sentence rule = "'";
  rule.append(type_name<Entry>().view()).append("' is no entry of a graph");
  b.fail({.rule = rule,
          .fix = "its entries: input<..>, node<\"name\", layer, \"source\">, output<..>, tie<..>"});
}
template <class Entry>
constexpr void build_entry(builder& b, const name& scope) {
  if (!b.ok()) return;
  if constexpr (is_input<Entry>) Entry::build(b);
  else if constexpr (
      is_output<Entry> || requires { Entry::is_node; } || requires { Entry::is_tie; })
    Entry::build(b, scope);
  else refuse_entry<Entry>(b);
}

}  // namespace detail

template <text Name, class... Entries>
struct graph {
  static constexpr std::string_view title = Name.view();

  // The whole graph on its own: the inputs are the caller's.
  static constexpr void lay_out(builder& b) {
    (detail::build_entry<Entries>(b, name{}), ...);
    if (b.net.outputs.empty())
      b.fail({.rule = sentence("graph '").append(title).append("' has no output"),
              .fix = "add output<\"node\">"});
  }
  template <class F>
  static constexpr void name_layers(const name& scope, F& f) {
    const auto visit = [&]<class Entry>() {
      if constexpr (requires { Entry::name_layers(scope, f); }) Entry::name_layers(scope, f);
    };
    (visit.template operator()<Entries>(), ...);
  }

  // As a node of another graph: the inputs are given edges. Returns the first output; the others are
  // "node.name".
  static constexpr int build(builder& b, const edges& given) {
    constexpr int inputs = (0 + ... + (detail::is_input<Entries> ? 1 : 0));
    if (!b.require_inputs(given, inputs, inputs, "the graph", "list one source for each of its inputs"))
      return -1;
    const name scope = b.here();
    const int known = b.known_names();
    int next = 0, first_output = -1;
    (build_nested<Entries>(b, scope, given, next, first_output), ...);
    if (first_output < 0)
      return b.fail({.rule = sentence("graph '").append(title).append("' has no output"),
                     .fix = "add output<\"node\"> to it"});
    b.require_use(known, scope);
    return first_output;
  }

 private:
  template <class Entry>
  static constexpr void build_nested(builder& b, const name& scope, const edges& given, int& next,
                                     int& first_output) {
    if (!b.ok()) return;
    if constexpr (detail::is_input<Entry>) Entry::bind(b, given[next++]);
    else if constexpr (detail::is_output<Entry>) Entry::keep(b, scope, first_output);
    else detail::build_entry<Entry>(b, scope);
  }
};

// graph<...>, or a struct derived from one: `struct index_lookup : graph<"index_lookup", ...> {};` has one
// word for a name, where an alias has all its entries, in every symbol and in every note of a compiler.
template <class T>
concept Graph = requires(builder& b) {
  T::title;
  T::lay_out(b);
};

// --- the finished network ----------------------------------------------------------------------------------
namespace detail {

// Offsets of all parameters in one block. Those of one operation that follow each other are contiguous, so
// that grouped products see one matrix; a tied parameter has the offset of its partner.
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
          if (symbol_offset(b.net, o, s) + p.symbols[s].elements() != symbol_offset(b.net, o, s + 1))
            b.fail({.rule = "a tied parameter is part of a product of several gates",
                    .where = o.path,
                    .fix = "tie all gates of one input, in their order"});
  }
}

// Objective: void, or a type whose build(builder&) adds the loss and returns its edge.
template <class G, class Objective>
constexpr builder lay_out() {
  builder b;
  G::lay_out(b);
  if constexpr (requires { Objective::build(b); }) {
    if (b.ok()) b.net.loss = Objective::build(b);
  } else if constexpr (!std::same_as<Objective, void>) {
    b.fail({.rule = sentence("'").append(type_name<Objective>().view()).append("' is no objective"),
            .fix = "write a loss such as cross_entropy<\"logits\">, or void, then the options"});
  }
  if (b.ok()) b.require_use(0, {});
  if (b.ok()) place_parameters(b);
  return b;
}

struct network_counts {
  int edges, operations, parameters, programs, axes, inputs, outputs, nodes;
  problem wrong;
};
// Laid out once, for the counts, the check and the network. (A local `const builder` would be evaluated three
// times by clang 19.)
template <class G, class Objective>
inline constexpr builder laid = lay_out<G, Objective>();
template <class G, class Objective>
constexpr network_counts count() {
  constexpr const builder& laid_out = laid<G, Objective>;
  const auto& net = laid_out.net;
  return {net.edges.size,  net.operations.size, net.parameters.size, net.programs.size, net.axes.size,
          net.inputs.size, net.outputs.size,    net.nodes.size,      laid_out.wrong};
}
template <class G, class Objective>
inline constexpr network_counts counts = count<G, Objective>();

template <class From, class To>
constexpr void copy_list(const From& from, To& to) {
  for (const auto& item : from) to.add(item);
}

}  // namespace detail

// Does the graph fit together?
template <Graph G, class Objective = void>
inline constexpr bool fits = !detail::counts<G, Objective>.wrong;

namespace detail {
template <class G, class Objective>
struct problem_of {
  static constexpr const problem& wrong = counts<G, Objective>.wrong;
};
}  // namespace detail

// static_assert(check<G>()): the compiler says in one error what is wrong, if anything is. What is built on
// the graph then stays silent: the error stands, and a second one would say nothing new.
template <Graph G, class Objective = void>
constexpr bool check() {
  if constexpr (fits<G, Objective>) return true;
  else return detail::say<detail::error_in<detail::problem_of<G, Objective>>>();
}

namespace detail {
template <class G, class Objective>
constexpr auto shrink() {
  constexpr network_counts c = counts<G, Objective>;
  if constexpr (c.wrong.rule.size > 0) {
    return network<0, 0, 0, 0, 0, 0, 0, 0>{};
  } else {
    constexpr const builder& laid_out = laid<G, Objective>;
    network<c.edges, c.operations, c.parameters, c.programs, c.axes, c.inputs, c.outputs, c.nodes> net;
    copy_list(laid_out.net.edges, net.edges);
    copy_list(laid_out.net.nodes, net.nodes);
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
