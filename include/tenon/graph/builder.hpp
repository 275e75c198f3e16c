// builder: what a layer talks to while a graph is laid out at compile time. A layer's `build` asks for
// parameters and operations and returns the edge that leaves it; the first broken rule is kept as a problem
// and ends the work.
#pragma once

#include "tenon/equation/trace.hpp"
#include "tenon/graph/meeting_axes.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/graph/parameter_start.hpp"
#include "tenon/lowering/phases.hpp"
#include "tenon/meta/pattern.hpp"
#include "tenon/meta/type_name.hpp"

namespace tenon::ir {

class builder {
 public:
  static constexpr int alignment = 16;  // elements: parameters start on a cache line (float)
  using large = network<400, 256, 400, 40, 16, 16, 32, 160>;

  large net;
  problem wrong{};
  name missing{};  // what is wrong is that no entry above has this name

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

  // --- rules -----------------------------------------------------------------------------------------------
  // Something is wrong: `return b.fail({.rule = ...})`. The first problem is kept; -1 is no edge.
  constexpr int fail(problem p) {
    if (p.where.empty()) p.where = path;
    if (ok()) wrong = p;
    return -1;
  }
  constexpr bool fail_if(const problem& p) {
    if (p) fail(p);
    return ok();
  }
  constexpr bool require_inputs(const edges& in, int least, int most, const char* layer, const char* fix) {
    if (in.size >= least && in.size <= most) return ok();
    sentence rule = layer;
    rule.append(least == most ? " takes" : in.size < least ? " takes at least" : " takes at most");
    fail({.rule = rule,
          .axis = "sources",
          .expected = in.size < least ? least : most,
          .got = in.size,
          .fix = in.size == 0 ? "list its sources: node<\"y\", layer, \"x\">" : fix});
    return false;
  }
  constexpr bool require_numbers(int e, const char* layer) {
    const edge& from = net.edges[e];
    if (from.is_token())
      fail({.rule = sentence(layer).append(" expects numbers, got tokens"),
            .source = from.path,
            .fix = "put an embedding<vocabulary, width> before it"});
    else if (from.slabs > 1)
      fail({.rule = sentence(layer).append(" expects one row, got a stack of layers"),
            .source = from.path,
            .fix = "take the last layer's state: '.final'"});
    return ok();
  }
  constexpr bool require_sequence(int e, const char* layer) {
    if (!net.edges[e].is_sequence())
      fail({.rule = sentence(layer).append(" expects a sequence, got one row without a time axis"),
            .source = net.edges[e].path,
            .fix = net.inputs.find(e) >= 0
                       ? "give the input a steps<bound>"
                       : "name what is made from an input with steps<bound>, step by step"});
    return ok();
  }
  constexpr bool require_no_sequence(int e, const char* layer) {
    if (net.edges[e].is_sequence())
      fail({.rule = sentence(layer).append(" expects one row, got a sequence"),
            .source = net.edges[e].path,
            .fix = "reduce the time axis first: attention, or the '.final' state of a recurrent layer"});
    return ok();
  }
  constexpr bool require_size(int e, int expected, const char* layer, const char* fix) {
    if (net.edges[e].size != expected)
      fail({.rule = sentence(layer).append(" expects"),
            .axis = "features",
            .expected = expected,
            .got = net.edges[e].size,
            .source = net.edges[e].path,
            .fix = fix});
    return ok();
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
        if (net.axes[a].grid != grid)
          fail({.rule = sentence("the axis '")
                            .append(axis.view())
                            .append("' has other lines and places elsewhere"),
                .fix = "write the same grid<height, width>, or name the axes: grid<4, 6, \"map\">"});
        else if (net.axes[a].bound != bound)
          fail({.rule = "inputs bound one time axis differently:",
                .axis = "steps",
                .expected = net.axes[a].bound,
                .got = bound,
                .fix = "use one bound, or name the axes: steps<12, \"source\">"});
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
    part.path = path, part.whole = whole, part.column = column, part.size = size;
    return add_edge(part);
  }
  // One layer's rows of an edge with a layers axis, without a copy.
  constexpr int slab_of(int whole, int slab) {
    edge part = net.edges[whole];
    part.path = path, part.whole = whole, part.slab = slab, part.slabs = 1;
    return add_edge(part);
  }
  // A second output of the layer being built: other nodes read it as "node.inner".
  constexpr void name_output(characters inner, int e) {
    if (has_room(exports.size, exports.capacity, "names") && has_room_for(inner))
      exports.add({detail::join(path, inner), e});
    if (e >= 0 && net.edges[e].path == path) net.edges[e].path = detail::join(path, inner);
  }
  constexpr int find_output(const name& wanted) {
    for (int k = exports.size - 1; k >= 0; --k)
      if (exports[k].path == wanted) return exports[k].used = true, exports[k].target;
    return -1;
  }
  constexpr bool is_known(const name& wanted) const {
    for (int k = exports.size - 1; k >= 0; --k)
      if (exports[k].path == wanted) return true;
    return false;
  }
  constexpr int known_names() const { return exports.size; }
  // Of the entries named since there were `first` names, all directly below `scope`: is each read by another?
  constexpr void require_use(int first, const name& scope) {
    bool used = false;  // second outputs stand before their node
    for (int k = first; k < exports.size; ++k) {
      used = used || exports[k].used;
      exports[k].used = false;  // what a nested graph reads of its own nodes is no use of the graph
      if (exports[k].path.view().find(".", static_cast<std::size_t>(scope.size) + 1) != characters::npos)
        continue;
      if (!used)
        fail({.rule = "nothing reads it",
              .where = exports[k].path,
              .fix = "name it in a node or an output, or remove it"});
      used = false;
    }
  }
  // "did you mean 'embedded'?", or `otherwise` where no name known in the scope is close to the one that was
  // wanted.
  constexpr sentence suggest(const name& scope, characters wanted, const char* otherwise) const {
    nearest known(wanted);
    const std::size_t outer = scope.empty() ? 0 : scope.view().size() + 1;
    for (const output_name& n : exports)
      if (n.path.view().starts_with(scope.view()) && n.path.view().size() > outer)
        known.consider(n.path.view().substr(outer));
    return known.suggestion(otherwise);
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
    fail_if(mistake_in_start(net.parameters[added]));
    return added;
  }
  // For the parameters of the layer that is built here, and of all below it.
  constexpr void add_rules(const parameter_rules& rules) {
    for (const parameter_rule& r : rules)
      if (has_room(rules_.size, rules_.capacity, "options of parameters")) rules_.add({path, r});
  }
  // When all parameters are there: the rules of outer layers behind those of inner ones, so that the outer word counts.
  constexpr void apply_rules() {
    for (int n = rules_.size - 1; n >= 0; --n) {
      const scoped_rule& mine = rules_[n];
      const std::size_t below = mine.scope.empty() ? 0 : mine.scope.view().size() + 1;
      bool is_used = false;
      nearest known{name(mine.rule.pattern)};
      for (parameter& p : net.parameters) {
        const characters whole = p.path.view();
        if (whole.size() <= below || !whole.starts_with(mine.scope.view()) ||
            (below > 0 && whole[below - 1] != '.'))
          continue;
        known.consider(whole.substr(below));
        if (!matches(mine.rule.pattern, whole.substr(below))) continue;
        is_used = true;
        p.frozen = p.frozen || mine.rule.freezes;
        if (mine.rule.starts) p.start = mine.rule.start, p.apart = {}, fail_if(mistake_in_start(p));
      }
      if (!is_used)
        fail({.rule = sentence("no parameter of the layer is named '").append(mine.rule.pattern).append("'"),
              .where = mine.scope,
              .fix =
                  known.suggestion("a pattern is a name below the layer's, `*` stands for any characters")});
    }
  }
  // Parameters of a program under their stored names followed by `suffix`, each starting as `start` says.
  constexpr list<int, max_symbols> add_parameters(const program& p, const storage_layout& layout,
                                                  characters suffix, const initializers& start) {
    list<int, max_symbols> result;
    for (const stored_parameter& s : stored_parameters(p, layout)) {
      name inner = s.path;
      inner.append(suffix);
      const int added = add_parameter(inner.view(), s.rows, s.columns, start.of(p.symbols[s.first]));
      net.parameters[added].places = s.columns > 0 ? start.places : 1;
      if (s.count > 1) fail_if(start_gates(net.parameters[added], p, s, start));
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
  // The program that a layer of this type, told by the place of a constant of its, has for so many features; -1: none yet.
  constexpr int find_equations(const void* layer, int features) const {
    for (const layer_equations& known : layer_equations_)
      if (known.layer == layer && known.features == features) return known.program;
    return -1;
  }
  constexpr void keep_equations(const void* layer, int features, int program) {
    if (layer_equations_.size < layer_equations_.capacity) layer_equations_.add({layer, features, program});
  }
  // Sizes as size_from makes them.
  constexpr bool require_int(int size, int another = 0) {
    if (size == size_argument::is_no_int || another == size_argument::is_no_int)
      fail({.rule = sentence("a size is no whole number, or above ").append(size_argument::largest),
            .fix = "write a size that an int holds"});
    return ok();
  }
  constexpr int add_input(int e) {
    return has_room(net.inputs.size, net.inputs.capacity, "inputs") ? net.inputs.add(e) : -1;
  }
  constexpr void add_output(int e, const name& called) {
    if (has_room(net.outputs.size, net.outputs.capacity, "outputs"))
      net.outputs.add(e), net.output_names.add(called);
  }
  constexpr void add_node(const node_record& n) {
    if (has_room(net.nodes.size, net.nodes.capacity, "nodes")) net.nodes.add(n);
  }
  constexpr int add_operation(operation o) {
    if (o.path.empty()) o.path = path;
    return has_room(net.operations.size, net.operations.capacity, "operations") ? net.operations.add(o) : 0;
  }

  // --- losses ----------------------------------------------------------------------------------------------
  // The input of a loss that a session is given targets by: as many features, or tokens below `range`. Losses share
  // one of the same name and shape. -1: the graph has another of this name.
  constexpr int target(const name& called, int size, int range, int axis) {
    if (called == name(detail::a_number))
      return fail({.rule = "a loss has a number where the name of its target stands",
                   .fix = "write names first: cross_entropy<\"y\", \"target\", label_smoothing<0.1>>"});
    for (int i : net.inputs) {
      const edge& known = net.edges[i];
      if (known.path != called) continue;
      const bool is_target = targets_.find(i) >= 0;
      if (is_target && known.size == size && known.range == range && known.axis == axis) return i;
      return fail({.rule = sentence("the loss adds an input named '")
                               .append(called.view())
                               .append(is_target ? "', and another loss adds one of another shape"
                                                 : "', and the graph has one"),
                   .fix = is_target ? "name the target behind the output: mse<\"y\", \"height\">"
                                    : "rename the graph's own, or name the target behind the output"});
    }
    return targets_.add(add_edge({.path = called, .size = size, .range = range, .axis = axis})),
           add_input(targets_.last()), targets_.last();
  }
  // Adds a loss: its operation's first output is a number that is added to the others'.
  constexpr int add_loss(operation o) {
    if (net.losses.size == net.losses.capacity)
      return fail(
          {.rule = sentence("the objective has more than ").append(net.losses.capacity).append(" losses"),
           .fix = "add two of them up in one equation"});
    const int loss = add_edge({.size = 1});
    o.out = {loss}, o.scale = scale_;
    add_operation(o);
    return net.losses.add(loss), loss;
  }
  // The mean over all positions of what an equation says, one number at each, over the edges given. A further result
  // "count" says what a position counts: the sum of the numbers is divided by the sum of the counts.
  constexpr int mean_loss(const traced& t, const edges& in) {
    const int values = apply(t, in, {}, {});
    if (!ok()) return -1;
    const operation& equation = net.operations.last();
    const int counts = t.names.find("count") < 0 ? -1 : equation.out[1 + t.names.find("count")];
    if (!equation.parameters.empty())
      return fail({.rule = "an equation of a loss learns nothing, and this one has learned symbols",
                   .fix = "compute them in a node of the graph"});
    if (net.edges[values].size != 1)
      return fail({.rule = "a loss is one number at each position:",
                   .axis = "features",
                   .expected = 1,
                   .got = net.edges[values].size,
                   .fix = "write mean(..) or sum(..) around it"});
    if (counts >= 0 && (net.edges[counts].size != 1 || net.edges[counts].axis != net.edges[values].axis))
      return fail({.rule = "what a position counts is one number, at each position that has a loss",
                   .fix = "reduce it as the loss is reduced"});
    if (!moves_with_first_input(t.equations))
      return fail({.rule = sentence("the loss has no gradient for '")
                               .append(net.edges[in[0]].path.view())
                               .append("': it does not read it, or only compares it"),
                   .fix = "use its value, as in square(y - target)"});
    return add_loss({.what = work::mean_loss, .in = {values, counts}});
  }
  // Has the first result a gradient for the first input?
  static constexpr bool moves_with_first_input(const program& p) {
    bool moves[max_instructions]{};
    for (int k = 0; k < p.code.size; ++k) {
      const instruction& i = p.code[k];
      const bool is_flat =
          i.code == op::greater || i.code == op::equal || i.code == op::sign || i.code == op::stop_gradient;
      if (i.code == op::input) moves[k] = i.first == 0;
      else if (i.code == op::select) moves[k] = moves[i.b] || moves[i.c];
      else if (!is_flat) for_operands(i, [&](int o) { moves[k] = moves[k] || moves[o]; });
    }
    return moves[p.outputs[0]];
  }
  // What `inside` adds counts `scale` times.
  template <class F>
  constexpr int scaled(double scale, F inside) {
    const double outer = scale_;
    scale_ *= scale;
    const int loss = inside();
    return scale_ = outer, loss;
  }

  // The axes of the sequences among these edges: of the first, and of one that has another.
  constexpr input_axes axes_of(const edges& in) {
    const meeting_axes found = meet(net, in);
    return fail_if(found.wrong) && found.time >= 0 ? input_axes_of(net, in, found) : input_axes{};
  }
  // The axis of a sequence that is seen whole at every step, and which of these edges are sequences.
  constexpr input_axes inner_axes_of(const edges& in) {
    const meeting_axes found = meet_inside(net, in);
    return fail_if(found.wrong) ? input_axes_of(net, in, found) : input_axes{};
  }
  // What is wrong with an equation speaks of its inputs by number: here, by the edges that they are; those of a step that are
  // none are its states, behind x.
  constexpr void name_inputs(traced& t, const edges& in) const {
    for (int i = 0; i < in.size && t.wrong; ++i)
      if (t.wrong.source == name("input ").append(i))
        t.wrong.source = in[i] < 0 ? name("state ").append(i - 1) : net.edges[in[i]].path;
  }
  // An equation over edges, at every position: those without a time axis are the same at every step. Its parameters
  // stand below `scope`; its results behind the first are outputs of their own. The edge of the first, or -1.
  constexpr int apply(traced t, const edges& in, const storage_layout& layout, const initializers& start,
                      characters scope = {}) {
    return add_equation(lay_out_equation(t, in, scope), in, layout, start, scope);
  }
  // The same of an equation that is a type, trace_at<T>, with or without axes: over sources alike it is traced once.
  constexpr int apply(tracer trace, const sizes& features, const input_axes& axes, const edges& in,
                      const storage_layout& layout, const initializers& start, characters scope = {}) {
    const bool has_axes = !axes.varies.empty();
    const input_axes along = has_axes ? axes : axes_of(in);
    if (!ok()) return -1;
    for (const known_equation& known : equations_)
      if (known.trace == trace && known.features == features && known.has_axes == has_axes &&
          known.along == along)
        return add_equation(known.laid, in, layout, start, scope);
    const applied_equation made = lay_out_equation(trace(features, axes), in, scope);
    if (ok() && equations_.size < equations_.capacity)
      equations_.add({trace, features, along, has_axes, made});
    return add_equation(made, in, layout, start, scope);
  }

 private:
  struct output_name {
    name path{};
    int target = -1;
    bool used = false;
  };
  struct scoped_rule {
    name scope{};
    parameter_rule rule{};
  };
  struct layer_equations {
    const void* layer = nullptr;
    int features = 0, program = -1;
  };
  list<layer_equations, 16> layer_equations_;
  // An equation as it is applied: its program, and what its results vary along.
  struct applied_equation {
    int program = -1;
    bool has_turn = false;
    list<domain, max_program_inputs> varies{};
    list<label, max_sources> names{};  // of the results behind the first
  };
  struct known_equation {
    tracer trace = nullptr;
    sizes features{};
    input_axes along{};
    bool has_axes = false;  // it was traced with them
    applied_equation laid{};
  };
  list<known_equation, 32> equations_;
  list<scoped_rule, 64> rules_;
  static constexpr long most_numbers = 2147483632;  // of a block: its offsets are ints
  name path{};
  list<output_name, 320> exports;
  long numbers_ = 0;
  list<int, 8> targets_;  // inputs that losses have added
  double scale_ = 1;      // of the loss that is being built

  template <class F>
  constexpr auto below(characters scope, F f) {
    return scope.empty() ? f() : within(scope, f);
  }
  constexpr applied_equation lay_out_equation(traced t, const edges& in, characters scope) {
    name_inputs(t, in);
    if (!below(scope, [&] { return fail_if(t.wrong); })) return {};
    program p = t.equations;
    meeting_axes times = meet(net, in);
    if (!fail_if(times.wrong)) return {};
    if (p.varies.empty()) p.varies = axes_of(in).varies;  // traced without axes
    applied_equation made{.names = t.names};
    domain domains[max_instructions]{};
    bool reduces = false;
    for (int k = 0; k < p.code.size; ++k) {
      domains[k] = domain_of(p, p.code[k], domains);
      reduces = reduces || is_over_axis(p.code[k].code);
      made.has_turn = made.has_turn || p.code[k].code == op::turn;
    }
    if (made.has_turn && times.inner < 0) times.inner = times.time;
    if (!fail_if(mistake_in_axes(net, p, domains, times, in))) return {};
    for (int e : in)
      if (net.edges[e].axis >= 0 && !reduces && domains[p.outputs[0]] == domain::timeless)
        return fail({.rule =
                         "what comes out is the same at every step: the equation does not read the sequence",
                     .source = net.edges[e].path,
                     .fix = "use its values, or give the equation sources without a time axis alone"}),
               applied_equation{};
    for (int n = 0; n < t.names.size; ++n)
      if (t.names.find(t.names[n]) < n)
        return fail({.rule = sentence("two results of the equation are named '")
                                 .append(t.names[n].view())
                                 .append("'"),
                     .fix = "give each a name of its own"}),
               applied_equation{};
    for (int k : p.outputs) made.varies.add(domains[k]);
    made.program = add_program(group_products(p));
    return made;
  }
  constexpr int add_equation(const applied_equation& made, const edges& in, const storage_layout& layout,
                             const initializers& start, characters scope) {
    if (!ok()) return -1;
    const program& p = net.programs[made.program];
    meeting_axes times = meet(net, in);
    if (made.has_turn && times.inner < 0) times.inner = times.time;
    operation o{.what = work::apply, .in = in, .program = made.program, .inner = times.inner};
    for (int n = 0; n < made.varies.size; ++n) {
      const int axis = made.varies[n] == domain::rows    ? times.time
                       : made.varies[n] == domain::inner ? times.inner
                                                         : -1;
      o.out.add(add_edge({.size = p.code[p.outputs[n]].size, .axis = axis}));
    }
    o.parameters = below(scope, [&] { return add_parameters(p, layout, "", start); });
    for (int n = 0; n < made.names.size; ++n) name_output(made.names[n].view(), o.out[1 + n]);
    if (ok()) add_operation(o);
    return ok() ? o.out[0] : -1;
  }
  constexpr bool has_room_for(characters inner) {
    if (path.view().size() + (path.empty() ? 0 : 1) + inner.size() <= name::capacity) return true;
    sentence rule = "a name with its path has more than ";
    rule.append(name::capacity).append(" letters: '").append(inner.substr(0, 40)).append("'");
    fail({.rule = rule, .fix = "shorten it"});
    return false;
  }
  constexpr bool has_room(int size, int capacity, const char* what) {
    if (size == capacity)
      fail({.rule = sentence("the graph has more than ").append(capacity).append(" ").append(what),
            .fix = "raise builder::large in tenon/graph/builder.hpp"});
    return size < capacity;
  }
};

// A layer is a description: given the edges that enter, it builds what it is and returns the edge that
// leaves.
template <class L>
concept Layer = requires(builder& b, const edges& in) {
  { L::build(b, in) } -> std::same_as<int>;
};

// Anything that can stand in a node: a layer, or a bare equation with `at`.
template <class T>
concept Node = Layer<T> || Pointwise<T>;

namespace detail {
// Those of an equation: all as given, but for those that it names itself.
template <class T>
constexpr initializers initializers_of(initializer all) {
  if constexpr (requires { T::starts; }) return {all, T::starts, sizeof(T::starts) / sizeof(start_value)};
  else return all;
}
}  // namespace detail

// Builds T on the edges, or returns -1 when something is wrong.
template <class T>
constexpr int build(builder& b, const edges& in) {
  if (!b.ok()) return -1;
  if constexpr (Layer<T>) {
    return T::build(b, in);
  } else if constexpr (Cell<T>) {
    return b.fail({.rule = "a cell stands where a layer is needed",
                   .fix = "run it over time: recurrent<cell, hidden<32>>"});
  } else if constexpr (!Node<T>) {
    return b.fail(
        {.rule = sentence("'").append(type_name<T>().view()).append("' is neither a layer nor an equation"),
         .fix = "an equation is a struct with a static at(auto x) that compiles"});
  } else if constexpr (!detail::RunsAtCompileTime<detail::calls_at<T>, at_arity<T>>) {
    return b.fail(detail::runs_later("the equation"));
  } else {
    if (!b.require_inputs(in, at_arity<T>, at_arity<T>, "the equation",
                          "list one source for each argument of at()"))
      return -1;
    sizes features;
    int widest = 1;
    for (int e : in) {
      if (!b.require_numbers(e, "the equation")) return -1;
      features.add(b[e].size);
      widest = b[e].size > widest ? b[e].size : widest;
    }
    double root = 1;  // Newton: 1 / sqrt(features) is the scale of a linear map
    for (int k = 0; k < 60; ++k) root = 0.5 * (root + widest / root);
    const input_axes axes = b.axes_of(in);
    return b.ok() ? b.apply(trace_at<T>, features, axes, in, detail::layout_of<T>(),
                            detail::initializers_of<T>({initial::uniform, 1 / root}))
                  : -1;
  }
}

}  // namespace tenon::ir

namespace tenon {
using ir::builder;
using ir::edges;
using ir::Layer;
using ir::Node;
}  // namespace tenon
