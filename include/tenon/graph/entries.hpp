// The entries of a graph: inputs, nodes and outputs. Tied parameters are in tied.hpp.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/graph/input_parts.hpp"
#include "tenon/graph/layer.hpp"
#include "tenon/graph/tied.hpp"
#include "tenon/meta/type_name.hpp"

namespace tenon::inline v0_1 {

namespace detail {
constexpr bool is_new_name(builder& b, characters name) {
  if (ir::detail::is_no_name(name))
    b.fail({.rule = ir::sentence("an entry has ").append(name).append(" for its name"),
            .fix = "write the name in double quotes: node<\"name\", layer, \"source\">"});
  if (name.empty()) b.fail({.rule = "an entry has no name", .fix = "node<\"name\", layer, \"source\">"});
  for (char c : name)
    if (c == '.')
      b.fail({.rule = "a name has a '.'",
              .fix = "choose another: '.' stands between a node and its second outputs"});
  if (b.names.has(b.here())) b.fail({.rule = "two entries have this name", .fix = "rename one of them"});
  return b.ok();
}
}  // namespace detail

// --- the entries of a graph --------------------------------------------------------------------------------
// Something the caller provides: input<"tokens", token<10>, steps<10>>, input<"x", features<8>>.
template <ir::text Name, class... Parts>  // each a type: token<10>, features<8>, steps<20>
struct input {
  static constexpr bool is_input = true;
  static constexpr ir::characters called = Name.view();
  static constexpr void build(builder& b) {
    b.within(Name.view(), [&] {
      ir::edge e;
      (detail::describe_input<Parts>(b, e), ...);
      if (e.size == 0 && e.range == 0)
        b.fail({.rule = "the input says neither token<range> nor features<size>", .fix = "add one of them"});
      if (((
               requires { Parts::bound; } || requires { Parts::extents; }) +
           ... + 0) > 1)
        b.fail({.rule = "the input says twice which axis it has",
                .fix = "keep one of steps<bound> and grid<height, width>"});
      if (e.axis >= 0 && b.net.axes[e.axis].is_grid() && e.layers > 1)
        b.fail(
            {.rule = "the input says both grid<height, width> and layers<count>", .fix = "keep one of them"});
      if (e.size > 0 && e.range > 0)
        b.fail({.rule = "the input says both token<range> and features<size>", .fix = "keep one of them"});
      if (!b.ok() || !detail::is_new_name(b, Name.view())) return -1;
      const int made = b.add_edge(e);
      b.name_output("", made);
      return b.add_input(made);
    });
  }
  // In a nested graph: the input is an edge of the graph around it.
  static constexpr void bind(builder& b, int source) {
    b.within(Name.view(), [&] {
      ir::edge e;
      (describe_bound<Parts>(b, e, source), ...);
      const ir::edge& g = b[source];
      if (e.range > 0 && !g.is_token())
        b.fail({.rule = "the input expects tokens, got numbers", .source = g.path, .fix = agree});
      if (e.range == 0 && g.is_token())
        b.fail({.rule = "the input expects numbers, got tokens", .source = g.path, .fix = agree});
      expect(b, g, "tokens", e.range, g.range);
      expect(b, g, "features", e.size, g.size);
      expect(b, g, "layers", e.layers, g.layers);
      if constexpr (!(... || (
                                 requires { Parts::bound; } || requires { Parts::extents; })))
        b.require_no_sequence(source, "the input");
      b.name_output("", source);
      return 0;
    });
  }

 private:
  template <class Part>
  static constexpr void describe_bound(builder& b, ir::edge& e, int source) {
    if constexpr (requires { Part::extents; }) {
      if (!b.require_sequence(source, "the input")) return;
      const ir::extents got = b.net.axes[b[source].axis].grid;
      expect(b, b[source], "lines", Part::extents.height, got.height);
      expect(b, b[source], "places in a line", Part::extents.width, got.width);
    } else if constexpr (!requires { Part::bound; }) detail::describe_input<Part>(b, e);
    else if (b.require_sequence(source, "the input"))
      expect(b, b[source], "steps", Part::bound, b.net.axes[b[source].axis].bound);
  }
  static constexpr const char* agree = "the nested graph's input and its source must agree";
  static constexpr void expect(builder& b, const ir::edge& from, const char* axis, int expected, int got) {
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
template <ir::text Name, class Layer, ir::text... Sources>
struct node {
  static constexpr bool is_node = true;
  static constexpr ir::characters called = Name.view();
  static constexpr bool reads([[maybe_unused]] ir::characters source) {
    return (... || (Sources.view() == source));
  }
  static constexpr void build(builder& b, const ir::name& scope) {
    const ir::name outer = b.here();
    if (!b.has_room_for(Name.view())) return;
    b.go_to(ir::detail::join(outer, Name.view()));
    const edges in = find_sources(b, scope);
    if (b.ok()) {
      ir::node_record record{.path = b.here(), .in = in};
      record.first_operation = b.net.operations.size;
      record.first_parameter = b.net.parameters.size;
      record.out = tenon::ir::build<Layer>(b, in);  // not in within(): compilers list each function
      record.last_operation = b.net.operations.size;
      record.last_parameter = b.net.parameters.size;
      if (b.ok()) b.name_output("", record.out);
      if constexpr (!requires { Layer::title; })
        b.add_node(record);  // a graph's inner nodes have records of their own
    }
    b.go_to(outer);
  }
  // Calls f(path, std::type_identity<layer>) for the nodes inside, in the order of the network's records.
  template <class F>
  static constexpr void name_layers(const ir::name& scope, F& f) {
    const ir::name path = ir::detail::join(scope, Name.view());
    if constexpr (requires { Layer::title; }) Layer::name_layers(path, f);
    else f(path, std::type_identity<Layer>());
  }

 private:
  static constexpr edges find_sources(builder& b, const ir::name& scope) {
    edges in;
    if (!detail::is_new_name(b, Name.view())) return in;
    if constexpr (sizeof...(Sources) > ir::max_sources)
      b.fail({.rule = "a node takes at most",
              .axis = "sources",
              .expected = ir::max_sources,
              .got = sizeof...(Sources),
              .fix = "join some of them in a node of their own"});
    ((b.ok() ? find(b, scope, Sources.view(), in) : void()), ...);
    return in;
  }
  static constexpr void find(builder& b, const ir::name& scope, ir::characters from, edges& in) {
    const ir::name wanted = ir::detail::join(scope, from);
    const int found = b.find_output(wanted);
    if (found >= 0) return void(in.add(found));
    b.missing = from;
    b.fail({.rule = ir::sentence("no entry above is named '").append(from).append("'"),
            .fix = b.names.suggest(scope, from, "declare sources above the nodes that use them")});
  }
};

// What the caller reads: a node, or a node's second output such as "states.h_n".
template <ir::text Name, class... Options>
struct output {
  static constexpr bool is_output = true;
  static constexpr void build(builder& b, const ir::name& scope) {
    if constexpr (sizeof...(Options) > 0) refuse_options(b);
    const int e = b.find_output(ir::detail::join(scope, Name.view()));
    if (e < 0) {
      b.missing = Name;
      b.fail(
          {.rule = ir::sentence("the output '").append(Name.view()).append("' is not an entry of the graph"),
           .fix = b.names.suggest(scope, Name.view(), "name a node, or one of its outputs: states.h_n")});
    }
    if (b.net.output_names.find(Name) >= 0)
      b.fail({.rule = ir::sentence("two outputs are named '").append(Name.view()).append("'"),
              .fix = "remove one of them"});
    if (b.ok() && b[e].is_token())
      b.fail({.rule = ir::sentence("the output '")
                          .append(Name.view())
                          .append("' holds tokens, which a session returns only as inputs"),
              .fix = ir::sentence("leave it out, and write get_input<\"")
                         .append(Name.view())
                         .append("\">(session)")});
    if (b.ok()) b.add_output(e, Name);
  }
  // In a nested graph: the first of its outputs is the result of the node.
  static constexpr void keep(builder& b, const ir::name& scope, int& first_output) {
    if constexpr (sizeof...(Options) > 0) refuse_options(b);
    const int e = b.find_output(ir::detail::join(scope, Name.view()));
    if (e < 0)
      b.fail(
          {.rule = ir::sentence("the output '").append(Name.view()).append("' is not an entry of the graph"),
           .fix = b.names.suggest(scope, Name.view(), "name one of its nodes")});
    else if (first_output < 0) first_output = e;
  }

 private:
  static constexpr void refuse_options(builder& b) {
    (b.fail({.rule = ir::sentence("'")
                         .append(ir::type_name<Options>().view())
                         .append("' follows the name of output '")
                         .append(Name.view())
                         .append("', which has no options"),
             .fix = ir::sentence("write output<\"").append(Name.view()).append("\">")}),
     ...);
  }
};

namespace detail {

// If the missing entry is declared later, or if there is a cycle, the error says so instead of suggesting a spelling.
template <class Entry>
constexpr void look_below(builder& b, characters reader) {
  if constexpr (requires { Entry::called; })
    if (const characters asked = b.missing.view();
        Entry::called == asked.substr(0, asked.find(".")) && !b.names.has(name(Entry::called))) {
      bool is_cycle = Entry::called == reader;
      if constexpr (requires { Entry::reads(reader); }) is_cycle = is_cycle || Entry::reads(reader);
      if (Entry::called == reader) b.wrong.rule = "it reads itself: a cycle";
      else if (is_cycle)
        b.wrong.rule =
            sentence("it reads '").append(Entry::called).append("', which reads it in turn: a cycle");
      else if (b.wrong.where.empty())
        b.wrong.rule = sentence("the output '").append(Entry::called).append("' is declared above its node");
      else b.wrong.rule = sentence("its source '").append(Entry::called).append("' is declared below it");
      b.wrong.fix = is_cycle ? "pass a value to the next step as a state: recurrent<cell, hidden<n>>"
                             : "entries read only entries above them: move it";
    }
}

// Each entry has a member that says what it is: nvcc 13 matches no partial specialisation over a text.
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
  rule.append(ir::type_name<Entry>().view()).append("' is not an entry of a graph");
  b.fail({.rule = rule,
          .fix = "its entries: input<..>, node<\"name\", layer, \"source\">, output<..>, tied<..>"});
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

}  // namespace tenon::inline v0_1
