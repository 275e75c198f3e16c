// builder: the interface of a layer to the graph that is laid out at compile time. A layer's `build` adds
// parameters and operations and returns its output edge. The first broken rule is kept as a problem; layout
// stops there.
#pragma once

#include "tenon/equation/trace.hpp"
#include "tenon/graph/equation_axes.hpp"
#include "tenon/graph/known_equations.hpp"
#include "tenon/graph/meeting_axes.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/graph/output_names.hpp"
#include "tenon/graph/parameter_start.hpp"
#include "tenon/graph/required_edges.hpp"
#include "tenon/graph/scoped_rules.hpp"

namespace tenon::inline v0_1::ir {

// What objective.hpp remembers from loss to loss.
struct losses_so_far {
  list<int, 8> targets{};  // inputs that losses have added
  double scale = 1;        // of the loss that is being built
};

class builder {
 public:
  static constexpr int alignment = 16;  // elements: parameters start on a cache line (float)
  static constexpr int room = room_of_graphs;
  using large =
      network<400 * room, 256 * room, 400 * room, 40 * room, 16 * room, 16 * room, 32 * room, 160 * room>;

  large net;
  output_names names;      // of what has been built
  losses_so_far losses{};  // see objective.hpp
  problem wrong{};
  name missing{};  // set if the problem is that no entry above has this name

  constexpr bool ok() const { return !wrong; }
  constexpr const edge& operator[](int e) const { return net.edges[e]; }

  // --- where we are ----------------------------------------------------------------------------------------
  // Everything built by f is named below `inner`.
  template <class F>
  constexpr auto within(characters inner, F f) {
    const name outer = path;
    if (!has_room_for(inner)) return decltype(f()){};
    path = detail::join(outer, inner);
    auto result = f();
    path = outer;
    return result;
  }
  constexpr const name& here() const { return path; }
  constexpr void go_to(const name& where) { path = where; }
  constexpr bool has_room_for(characters inner) {
    if (path.view().size() + (path.empty() ? 0 : 1) + inner.size() <= name::capacity) return true;
    sentence rule = "a name with its path has more than ";
    rule.append(name::capacity).append(" letters: '").append(inner.substr(0, 40)).append("'");
    fail({.rule = rule, .fix = "shorten it"});
    return false;
  }

  // --- rules -----------------------------------------------------------------------------------------------
  // Something is wrong: `return b.fail({.rule = ...})`. The first problem is kept; -1 is no edge.
  constexpr int fail(problem p) {
    if (p.where.empty()) p.where = path;
    if (ok()) wrong = p;
    return -1;
  }
  constexpr bool accept(const problem& p) {
    if (p) fail(p);
    return ok();
  }
  constexpr bool require_inputs(const edges& in, int least, int most, const char* layer, const char* fix) {
    return accept(unfit_count_of_sources(in.size, least, most, layer, fix));
  }
  constexpr bool require_numbers(int e, const char* layer) {
    return accept(unfit_numbers(net.edges[e], layer));
  }
  constexpr bool require_sequence(int e, const char* layer) {
    return accept(unfit_sequence(net.edges[e], net.inputs.find(e) >= 0, layer));
  }
  constexpr bool require_no_sequence(int e, const char* layer) {
    return accept(unfit_single_row(net.edges[e], layer));
  }
  constexpr bool require_size(int e, int expected, const char* layer, const char* fix) {
    return accept(unfit_size(net.edges[e], expected, layer, fix));
  }

  // --- edges -----------------------------------------------------------------------------------------------
  constexpr int add_edge(edge e) {
    if (e.path.empty()) e.path = path;
    if (e.axis >= 0) e.grid = net.axes[e.axis].grid;
    return has_room(net.edges.size, net.edges.capacity, "edges") ? net.edges.add(e) : 0;
  }
  constexpr int time_axis_of(const label& axis, int bound, extents grid = {0, 0}) {
    for (int a = 0; a < net.axes.size; ++a)
      if (net.axes[a].name == axis) {
        accept(unfit_bound(net.axes[a], bound, grid));
        return a;
      }
    return add_axis({axis, bound, grid});
  }
  constexpr int add_axis(const time_axis& a) {
    return has_room(net.axes.size, net.axes.capacity, "time axes") ? net.axes.add(a) : 0;
  }
  // Features [column, column + size) of an edge, without a copy.
  constexpr int columns_of(int whole, int column, int size) {
    edge part = net.edges[whole];
    part.path = path;
    part.whole = whole;
    part.column = column;
    part.size = size;
    return add_edge(part);
  }
  // One layer's rows of an edge with a layers axis, without a copy.
  constexpr int layer_of(int whole, int layer) {
    edge part = net.edges[whole];
    part.path = path;
    part.whole = whole;
    part.layer = layer;
    part.layers = 1;
    return add_edge(part);
  }
  // A second output of the layer being built: other nodes read it as "node.inner".
  constexpr void name_output(characters inner, int e) {
    if (has_room(names.size(), names.capacity, "names") && has_room_for(inner))
      names.add(detail::join(path, inner), e);
    if (e >= 0 && net.edges[e].path == path) net.edges[e].path = detail::join(path, inner);
  }
  constexpr int find_output(const name& called) { return names.find(called); }
  // Fails if nothing reads one of the entries from name number `first` on that are directly below `scope`.
  constexpr void require_use(int first, const name& scope) {
    if (const name unread = names.take_first_unread(first, scope); !unread.empty())
      fail({.rule = "nothing reads it",
            .where = unread,
            .fix = "name it in a node or an output, or remove it"});
  }

  // --- operations ------------------------------------------------------------------------------------------
  constexpr int add_parameter(characters inner, int rows, int columns, initializer start) {
    const name full = detail::join(path, inner);
    for (int k = net.parameters.size - 1; k >= 0 && net.parameters[k].path.view().starts_with(path.view());
         --k)
      if (net.parameters[k].path == full)
        fail({.rule = sentence("two parameters are named '").append(inner).append("'"),
              .fix = "rename one of the symbols"});
    if (!has_room(net.parameters.size, net.parameters.capacity, "parameters") || !has_room_for(inner))
      return 0;
    numbers_ += long(rows) * (columns > 0 ? columns : 1);
    if (numbers_ > most_numbers)
      fail({.rule = "the graph's parameters are more than 2147483632 numbers",
            .source = full,
            .fix = "write smaller sizes"});
    const int added = net.parameters.add({.path = full, .rows = rows, .columns = columns, .start = start});
    accept(unfit_initializer(net.parameters[added]));
    return added;
  }
  // Adds options for the parameters of the layer built here and of all layers inside it.
  constexpr void add_rules(const parameter_rules& rules) {
    if (rules.has_more)
      fail(
          {.rule =
               sentence("a layer has more than ").append(rules.capacity).append(" options of its parameters"),
           .fix = "let one speak of several: initialized<\"weight*\", start>"});
    for (const parameter_rule& r : rules)
      if (has_room(rules_.size(), rules_.capacity, "options of parameters")) rules_.add(path, r);
  }
  // Called once all parameters have been added.
  constexpr void apply_rules() { accept(rules_.apply(net.parameters)); }
  // Parameters of a program under their stored names followed by `suffix`, each starting as `start` says.
  constexpr list<int, max_symbols> add_parameters(const program_view& p, const storage_layout& layout,
                                                  characters suffix, const initializers& start) {
    list<int, max_symbols> result;
    for (const stored_parameter& s : stored_parameters(p, layout)) {
      name inner = s.path;
      inner.append(suffix);
      const int added = add_parameter(inner.view(), s.rows, s.columns, start.of(p.symbols[s.first]));
      net.parameters[added].places = s.columns > 0 ? start.places : 1;
      if (s.count > 1) accept(start_gates(net.parameters[added], p, s, start));
      result.add(added);
    }
    return result;
  }
  constexpr int add_program(const program& p) {
    const int known = net.programs.find(p);
    if (known >= 0) return known;
    return has_room(net.programs.size, net.programs.capacity, "different equations") ? net.programs.add(p)
                                                                                     : 0;
  }
  // See known_equations.
  constexpr int find_equations(const void* layer, int features) const { return known_.find(layer, features); }
  constexpr void keep_equations(const void* layer, int features, int of) { known_.keep(layer, features, of); }
  // Fails if a size is not an int. The arguments are results of size_from.
  constexpr bool require_int(int size, int another = 0) {
    if (size == size_argument::is_no_int || another == size_argument::is_no_int)
      fail({.rule = sentence("a size is not a whole number, or is above ").append(size_argument::largest),
            .fix = "write a size that an int holds"});
    return ok();
  }
  constexpr int add_input(int e) {
    return has_room(net.inputs.size, net.inputs.capacity, "inputs") ? net.inputs.add(e) : -1;
  }
  constexpr void add_output(int e, const name& called) {
    if (has_room(net.outputs.size, net.outputs.capacity, "outputs")) net.outputs.add(e);
    net.output_names.add(called);
  }
  constexpr void add_node(const node_record& n) {
    if (has_room(net.nodes.size, net.nodes.capacity, "nodes")) net.nodes.add(n);
  }
  constexpr int add_operation(operation o) {
    if (o.path.empty()) o.path = path;
    o.number = net.operations.size;
    return has_room(net.operations.size, net.operations.capacity, "operations") ? net.operations.add(o) : 0;
  }

  // --- equations -------------------------------------------------------------------------------------------
  // The axes of the sequences among these edges: that of the first sequence, and a second axis if another has one.
  constexpr input_axes axes_of(const edges& in) {
    const meeting_axes found = meet(net, in);
    return accept(found.wrong) && found.time >= 0 ? input_axes_of(net, in, found) : input_axes{};
  }
  // The axis of the sequence that every step sees whole, and which of these edges are sequences.
  constexpr input_axes inner_axes_of(const edges& in) {
    const meeting_axes found = meet_inside(net, in);
    return accept(found.wrong) ? input_axes_of(net, in, found) : input_axes{};
  }
  // Replaces input numbers in the equation's problem by the paths of the edges.
  constexpr void name_inputs(traced& t, const edges& in) const { ir::name_inputs(t, net, in); }
  // Applies an equation to edges at every position; edges without a time axis are the same at every step. Its
  // parameters are named below `scope`; results after the first become further outputs. Returns the edge of the first
  // result, or -1.
  constexpr int apply(traced t, const edges& in, const storage_layout& layout, const initializers& start,
                      characters scope = {}) {
    return add_equation(lay_out_equation(t, in, start, scope), in, layout, start, scope);
  }
  // The same for an equation that is a type, tracer_of<T>, with or without axes. It is traced once for equal sources.
  constexpr int apply(const tracer& of, const sizes& features, const input_axes& axes, const edges& in,
                      const storage_layout& layout, const initializers& start, characters scope = {}) {
    const bool has_axes = !axes.varies.empty();
    const input_axes along = has_axes ? axes : axes_of(in);
    if (!ok()) return -1;
    if (const applied_equation* const known = known_.find(of.equation, features, along, has_axes))
      return add_equation(*known, in, layout, start, scope);
    const applied_equation made = lay_out_equation(of.trace(features, axes), in, start, scope);
    if (ok()) known_.keep(of.equation, features, along, has_axes, made);
    return add_equation(made, in, layout, start, scope);
  }

 private:
  known_equations known_;
  scoped_rules rules_;
  static constexpr long most_numbers = 2147483632;  // in the parameter block: offsets are ints
  name path{};
  long numbers_ = 0;

  template <class F>
  constexpr auto below(characters scope, F f) {
    return scope.empty() ? f() : within(scope, f);
  }
  constexpr applied_equation lay_out_equation(traced t, const edges& in, const initializers& start,
                                              characters scope) {
    name_inputs(t, in);
    if (!below(scope,
               [&] { return accept(t.wrong) && accept(unfit_names_of_parameters(t.equations, start)); }))
      return {};
    program p = t.equations;
    applied_equation made{.names = t.names};
    if (!accept(find_axes(net, in, p, made))) return {};
    made.program = add_program(group_products(p));
    return made;
  }
  constexpr int add_equation(const applied_equation& made, const edges& in, const storage_layout& layout,
                             const initializers& start, characters scope) {
    if (!ok()) return -1;
    const program& p = net.programs[made.program];
    meeting_axes found = meet(net, in);
    see_turned(found, made.has_turn);
    operation o{.kind = operation_kind::apply, .in = in, .program = made.program, .inner = found.inner};
    for (int n = 0; n < made.varies.size; ++n)
      o.out.add(add_edge({.size = p.code[p.outputs[n]].size, .axis = axis_along(made.varies[n], found)}));
    o.parameters = below(scope, [&] { return add_parameters(p, layout, "", start); });
    for (int n = 0; n < made.names.size; ++n) name_output(made.names[n].view(), o.out[1 + n]);
    if (ok()) add_operation(o);
    return ok() ? o.out[0] : -1;
  }
  constexpr bool has_room(int size, int capacity, const char* what) {
    if (size == capacity)
      fail({.rule = sentence("the graph has more than ").append(capacity).append(" ").append(what),
            .fix = sentence("compile all files with -DTENON_ROOM_OF_GRAPHS=").append(room + 1)});
    return size < capacity;
  }
};

}  // namespace tenon::inline v0_1::ir

namespace tenon::inline v0_1 {
using ir::builder;
using ir::edges;
}  // namespace tenon::inline v0_1
