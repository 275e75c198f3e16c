// graph: a network as a type. A flat list of named entries, checked as a whole before anything heavy is
// instantiated.
//
//   using index_lookup = graph<"index_lookup",
//       input<"tokens", token<10>, steps<10>>,
//       node<"embedded", embedding<10, 128>, "tokens">,
//       ...
//       output<"logits">>;
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/graph/entries.hpp"
#include "tenon/graph/parameter_offsets.hpp"
#include "tenon/lowering/rehearsal.hpp"

#include <utility>

namespace tenon::inline v0_1 {

template <ir::text Name, class... Entries>
struct graph {
  static constexpr ir::characters title = Name.view();
  static constexpr int output_count = (0 + ... + (detail::is_output<Entries> ? 1 : 0));

  // Lays out the graph as a whole network, whose inputs the caller fills.
  static constexpr void lay_out(builder& b) {
    if (is_misnamed(b)) return;
    if constexpr (sizeof...(Entries) > most_entries) {
      b.fail({.rule = ir::sentence("graph '").append(title).append("' has at most"),
              .axis = "entries",
              .expected = most_entries,
              .got = sizeof...(Entries),
              .fix = "put some of them into a graph of their own, as a node of this one"});
    } else {
      (detail::build_entry<Entries>(b, ir::name{}), ...);
      const ir::name reader = b.wrong.where;
      if (!b.missing.empty()) (detail::look_below<Entries>(b, reader.view()), ...);
    }
    if (b.net.outputs.empty())
      b.fail({.rule = ir::sentence("graph '").append(title).append("' has no output"),
              .fix = "add output<\"node\">"});
  }
  template <class F>
  static constexpr void name_layers(const ir::name& scope, F& f) {
    const auto visit = [&]<class Entry>() {
      if constexpr (requires { Entry::name_layers(scope, f); }) Entry::name_layers(scope, f);
    };
    (visit.template operator()<Entries>(), ...);
  }

  // Builds the graph as a node of another graph: its inputs are the given edges. Returns the first output; the others
  // are named "node.name".
  static constexpr int build(builder& b, const edges& sources) {
    if (is_misnamed(b)) return -1;
    constexpr int inputs = (0 + ... + (detail::is_input<Entries> ? 1 : 0));
    if (!b.require_inputs(sources, inputs, inputs, "the graph", "list one source for each of its inputs"))
      return -1;
    const ir::name scope = b.here();
    const int known = b.names.size();
    int next = 0, first_output = -1;
    (build_nested<Entries>(b, scope, sources, next, first_output), ...);
    if (first_output < 0)
      return b.fail({.rule = ir::sentence("graph '").append(title).append("' has no output"),
                     .fix = "add output<\"node\"> to it"});
    b.require_use(known, scope);
    return first_output;
  }

 private:
  static constexpr int most_entries = 250;  // clang folds no more than 256
  // Is the graph's name a character or a number instead of a string?
  static constexpr bool is_misnamed(builder& b) {
    if (!ir::detail::is_no_name(title)) return false;
    b.fail({.rule = ir::sentence("a graph has ").append(title).append(" for its name"),
            .fix = "write the name in double quotes: graph<\"name\", ..>"});
    return true;
  }
  template <class Entry>
  static constexpr void build_nested(builder& b, const ir::name& scope, const edges& sources, int& next,
                                     int& first_output) {
    if (!b.ok()) return;
    if constexpr (detail::is_input<Entry>) Entry::bind(b, sources[next++]);
    else if constexpr (detail::is_output<Entry>) Entry::keep(b, scope, first_output);
    else detail::build_entry<Entry>(b, scope);
  }
};

// graph<...>, or a struct derived from one. The name of `struct index_lookup : graph<"index_lookup", ...> {};` is one
// word in every symbol and compiler note, whereas an alias shows all its entries there.
namespace concepts {
template <class T>
concept Graph = requires(builder& b) {
  T::title;
  T::lay_out(b);
};
}  // namespace concepts

namespace ir {
// For messages at run time. Empty if G is no graph; another check reports that.
template <class G>
constexpr characters title_of() {
  if constexpr (concepts::Graph<G>) return G::title;
  else return {};
}
}  // namespace ir

// --- the finished network ----------------------------------------------------------------------------------
namespace detail {

// An objective must return the output of a loss.
constexpr bool is_loss(const builder& b, int e) { return b.net.losses.find(e) >= 0; }

template <class G>
constexpr void refuse_graph(builder& b) {
  b.fail({.rule = sentence("'").append(ir::type_name<G>().view()).append("' is not a graph"),
          .fix = "write graph<\"name\", input<..>, node<..>, output<..>>"});
}
// Runs after the graph's entries. Objective: void, or a type whose build(builder&) adds the loss and returns its edge.
template <class Objective>
constexpr void finish(builder& b) {
  if constexpr (requires { Objective::build(b); }) {
    if (b.ok()) {
      const int loss = Objective::build(b);
      if (b.ok() && !is_loss(b, loss))
        b.fail({.rule = sentence("objective '")
                            .append(ir::type_name<Objective>().view())
                            .append("' returns no loss"),
                .fix = "return what a loss returns: losses::mse<\"y\">::build(b)"});
    }
  } else if constexpr (!std::same_as<Objective, void>) {
    b.fail({.rule = sentence("'").append(ir::type_name<Objective>().view()).append("' is not an objective"),
            .fix = "write a loss such as losses::cross_entropy<\"logits\">, or void, then the options"});
  }
  if (b.ok()) b.require_use(0, {});
  if (b.ok()) b.apply_rules();
  if (b.ok()) place_parameters(b);
}

// A network as the check sees it. If it does not fit into Room, `net` stays empty; `sizes` are its true sizes.
template <ir::network_sizes Room>
struct laid_network {
  typename ir::network_in<Room>::type net{};
  ir::network_sizes sizes{};
  problem wrong{};
};
template <class G, class Objective, ir::network_sizes Room>
constexpr laid_network<Room> lay_out_in() {
  builder b;
  if constexpr (concepts::Graph<G>) G::lay_out(b);
  else refuse_graph<G>(b);
  finish<Objective>(b);
  laid_network<Room> result{.sizes = sizes_of(b.net), .wrong = b.wrong};
  if (result.sizes.fit(Room)) copy_network(b.net, result.net);
  return result;
}
template <class G, class Objective, ir::network_sizes Room>
inline constexpr auto laid_in = lay_out_in<G, Objective, Room>();

// A graph is laid out once, for the check and the network; a large one twice.
inline constexpr ir::network_sizes small_network{128, 96, 128, 16, 8, 8, 16, 64, 48};
template <class G, class Objective>
constexpr const auto& find_laid() {
  constexpr ir::network_sizes sizes = laid_in<G, Objective, small_network>.sizes;
  if constexpr (sizes.fit(small_network)) return laid_in<G, Objective, small_network>;
  else return laid_in<G, Objective, sizes>;
}
template <class G, class Objective>
inline constexpr const auto& laid = find_laid<G, Objective>();
// If a layer's own code does not run at compile time, the compiler says so at laid_in, first at the one without an
// objective; the value read here is then no constant.
template <class G, class Objective>
concept IsConstant = requires {
  typename std::bool_constant<(laid_in<G, Objective, small_network>.sizes.edges >= 0)>;
};
template <class G, class Objective>
concept LaidOut = IsConstant<G, void> && IsConstant<G, Objective>;
// Equation number P, for a rehearsal.
template <class G, class Objective, int P>
struct laid_equation {
  static constexpr program_view value = laid<G, Objective>.net.programs[P];
  static constexpr int first_use() {
    int o = 0;
    while (laid<G, Objective>.net.operations[o].program != P) ++o;
    return o;
  }
  static constexpr operation made = laid<G, Objective>.net.operations[first_use()];
  static constexpr int states = traits_of(made.kind).is_loop ? made.in.size - 1 : 0;
};
template <class G, class Objective, bool RunsBackward>
constexpr problem find_outgrown() {
  problem found{};
  [[maybe_unused]] const auto look = [&]<int P>() {
    using equation = laid_equation<G, Objective, P>;
    if (found) return;
    found = rehearse<equation, RunsBackward>();
    if (found) found.where = equation::made.path;
  };
  [&]<int... P>(std::integer_sequence<int, P...>) { (look.template operator()<P>(), ...); }
  (std::make_integer_sequence<int, laid<G, Objective>.net.programs.size>{});
  return found;
}
template <class G, class Objective, bool RunsBackward>
constexpr problem find_problem() {
  [[maybe_unused]] constexpr const auto& first =
      laid_in<G, void, small_network>;  // what is wrong with it appears here
  if constexpr (!LaidOut<G, Objective>) {
    return {};
  } else {
    constexpr bool has_long_equation = [] {
      for (const auto& p : laid<G, Objective>.net.programs)
        if (!is_surely_small(p)) return true;
      return false;
    }();
    if constexpr (!laid<G, Objective>.wrong && has_long_equation)
      return find_outgrown<G, Objective, RunsBackward>();
    else return laid<G, Objective>.wrong;
  }
}
template <class G, class Objective>
inline constexpr problem problem_in = find_problem<G, Objective, !std::same_as<Objective, void>>();

}  // namespace detail

// Does the graph fit together?
template <class G, class Objective = void>
inline constexpr bool fits = !detail::problem_in<G, Objective> && detail::LaidOut<G, Objective>;

namespace detail {
template <class G, class Objective>
struct problem_of {
  static constexpr const problem& wrong = problem_in<G, Objective>;
};
// For sessions that run backward, also from adjoints that the caller gives.
template <class G, class Objective>
struct problem_of_gradient : problem_of<G, Objective> {};
template <class G>
struct problem_of_gradient<G, void> {
  static constexpr problem wrong = [] {
    if constexpr (problem_of<G, void>::wrong) return problem_of<G, void>::wrong;
    else return find_problem<G, void, true>();
  }();
};
struct no_graph_given {};
template <class>
struct graph_as_argument {
  static constexpr problem wrong{.rule = "a graph is a type and must be in angle brackets",
                                 .fix = "write check<model>()"};
};
}  // namespace detail

// static_assert(check<G>()): if something is wrong, the compiler says so in one error. Types built on the graph then
// report nothing more. It has no parameters: check(model{}) is refused with a message.
template <class G = detail::no_graph_given, class Objective = void, class... Given>
constexpr bool check(const Given&...) {
  if constexpr (sizeof...(Given) > 0 || std::same_as<G, detail::no_graph_given>)
    return detail::say<detail::error_in<detail::graph_as_argument<G>>>();
  else {
    // An error that the layout is no constant appears here, below few templates.
    [[maybe_unused]] constexpr const auto& first = detail::laid_in<G, void, detail::small_network>;
    if constexpr (fits<G, Objective> || !detail::LaidOut<G, Objective>) return true;
    else return detail::say<detail::error_in<detail::problem_of<G, Objective>>>();
  }
}

namespace detail {
template <class G, class Objective>
constexpr auto shrink() {
  [[maybe_unused]] constexpr const auto& first = laid_in<G, void, small_network>;  // as in check()
  if constexpr (!fits<G, Objective>) {
    return ir::network_in<ir::network_sizes{}>::type{};
  } else {
    typename ir::network_in<laid<G, Objective>.sizes>::type net;
    copy_network(laid<G, Objective>.net, net);
    return net;
  }
}
}  // namespace detail

// The network of a graph, as a constant of exactly its size; empty if the graph has a problem.
template <class G, class Objective = void>
inline constexpr auto network_of = detail::shrink<G, Objective>();

}  // namespace tenon::inline v0_1
