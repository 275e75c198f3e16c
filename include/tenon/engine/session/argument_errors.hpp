// argument_errors: what can be wrong with what a session is given, found at compile time, as problems for the session
// to say: names, values and their lengths, parameters, and the number of arguments.
#pragma once

#include "tenon/engine/session/input_buffers.hpp"
#include "tenon/parameters/parameters.hpp"

#include <span>
#include <tuple>
#include <type_traits>

namespace tenon::engine {

// --- names -------------------------------------------------------------------------------------------------
template <class Plan>
inline constexpr bool is_laid_out = Plan::net.edges.size > 0;  // else an error has been said: say no other

// The edge of an input or output; -1: there is none of this name.
template <class Plan>
constexpr int input_edge(const name& path) {
  for (int i : Plan::net.inputs)
    if (Plan::net.edges[i].path == path) return i;
  return -1;
}
template <class Plan>
constexpr int output_edge(const name& path) {
  for (int o = 0; o < Plan::net.outputs.size; ++o)
    if (Plan::net.output_names[o] == path) return Plan::net.outputs[o];
  return -1;
}
// Is dL/dedge computed? Not where no parameter reaches it, nor in a session that runs forward only.
template <class Plan>
constexpr bool has_adjoint(int e) {
  return e >= 0 && Plan::active.has_adjoint[Plan::net.owner(e)];
}
// The inputs that a call gives: all of them, or at each step of a stream those that it steps along.
template <class Plan, bool OneStep = false>
inline constexpr auto given_inputs = [] {
  std::remove_cvref_t<decltype(Plan::net.inputs)> all;
  for (int e : Plan::net.inputs)
    if (!OneStep || Plan::is_stepped_edge(e)) all.add(e);
  return all;
}();
// "its inputs are 'tokens', 'index'", as far as there is room.
template <class Plan, bool OneStep = false>
constexpr sentence list_inputs() {
  const auto& net = Plan::net;
  sentence all = OneStep ? "its inputs with steps are" : "its inputs are";
  int k = 0;
  for (int e : given_inputs<Plan, OneStep>) {
    const name& path = net.edges[e].path;
    if (all.size + path.size + 8 > sentence::capacity) return all.append(" ..");
    all.append(k++ > 0 ? ", '" : " '").append(path.view()).append("'");
  }
  return k > 0     ? all
         : OneStep ? sentence("no input has steps: set_input sets the others")
                   : sentence("it has no inputs");
}
template <class Plan, text Name>
struct unknown_input {
  static constexpr problem wrong = [] {
    nearest known{Name};
    for (int e : Plan::net.inputs) known.consider(Plan::net.edges[e].path);
    return problem{.rule = sentence("the graph has no input '").append(Name.view()).append("'"),
                   .fix = known.suggestion(list_inputs<Plan>())};
  }();
};
template <class Plan, text Name>
struct unknown_output {
  static constexpr problem wrong = [] {
    nearest known{Name};
    for (const name& n : Plan::net.output_names) known.consider(n);
    for (const node_record& n : Plan::net.nodes)
      if (n.path == name(Name))
        return problem{
            .rule = sentence("'").append(Name.view()).append("' is a node of the graph, and no output"),
            .fix = sentence("add output<\"").append(Name.view()).append("\"> to the graph")};
    if (input_edge<Plan>(Name) >= 0)
      return problem{
          .rule = sentence("'").append(Name.view()).append("' is an input of the graph, and no output"),
          .fix = sentence("write get_input<\"").append(Name.view()).append("\">(session)")};
    return problem{.rule = sentence("the graph has no output '").append(Name.view()).append("'"),
                   .fix = known.suggestion("only what an output<> names can be read")};
  }();
};

template <class, text Name>
struct output_of_temporary {
  static constexpr problem wrong{.rule = sentence("output '")
                                             .append(Name.view())
                                             .append("' is a view into a session that ends with this line"),
                                 .fix = "give the session a name: inference<graph> model;"};
};

// --- values ------------------------------------------------------------------------------------------------
// The rank that a tensor's type settles, as that of xt::xtensor<float, 2>; -1 where a run alone knows it.
template <class X>
constexpr int static_rank() {
  if constexpr (requires { std::tuple_size<typename X::shape_type>::value; })
    return static_cast<int>(std::tuple_size<typename X::shape_type>::value);
  else return -1;
}
// What an input takes: [batch, time, 8]. One step of a sequence: [batch, 8].
struct expected_value {
  edge input{};
  bool is_sequence = false, takes_ranges = false;  // ranges of ranges of numbers: not a state, nor a step
  characters role = "input";

  constexpr expected_value(const edge& e, bool one_step, characters called = "input")
      : input(e),
        is_sequence(e.axis >= 0 && !one_step),
        takes_ranges(!one_step && called == "input"),
        role(called) {}
  constexpr bool is_grid() const { return is_sequence && input.is_grid(); }
  constexpr int rank() const {
    return 1 + (is_grid() ? 2 : is_sequence ? 1 : 0) + (input.slabs > 1 ? 1 : 0) + (input.is_token() ? 0 : 1);
  }
  constexpr sentence give_tensor() const {
    sentence s = "give a tensor [";
    if (input.slabs > 1) s.append(input.slabs).append(", ");
    s.append(is_sequence && !is_grid() ? "batch, time" : "batch");
    if (is_grid()) s.append(", ").append(input.grid.height).append(", ").append(input.grid.width);
    if (!input.is_token()) s.append(", ").append(input.size);
    return s.append("]");
  }
  constexpr sentence give_sequences() const {
    sentence s = give_tensor();
    return takes_ranges ? s.append(", or vectors of std::array<float, ").append(input.size).append(">") : s;
  }
  constexpr problem wrong(characters what, const sentence& fix) const {
    return {.rule = sentence(role).append(" '").append(input.path.view()).append("'").append(what),
            .fix = fix};
  }
  // Of a row of numbers, or of a step of a sequence; of a grid at all its places.
  constexpr problem wrong_numbers(int got) const {
    problem p = wrong(" takes rows of", input.path == name("target")
                                            ? "a target is as wide as its output"
                                            : "mend the rows, or the features<> of the input");
    p.axis = "numbers", p.expected = input.size * (is_grid() ? input.grid.height * input.grid.width : 1);
    p.got = got;
    return p;
  }
  constexpr problem no_whole_numbers(const name& got) const {
    return wrong(sentence(": tokens are whole numbers, got ").append(got.view()).view(),
                 input.path == name("target")
                     ? "give the class of each row as an int: targets are not one-hot"
                     : "give int");
  }
};

// The numbers in a tensor, a range, or a range of ranges.
template <class X>
struct numbers_in {
  using type = void;
};
template <class X>
requires requires {
  typename X::value_type;
} && std::is_arithmetic_v<std::remove_cv_t<typename X::value_type>>
struct numbers_in<X> {
  using type = std::remove_cv_t<typename X::value_type>;
};
template <class X>
requires(!TensorExpression<X>) && requires {
  typename tenon::detail::element_of<tenon::detail::element_of<X>>;
}
struct numbers_in<X> {
  using type = tenon::detail::element_of<tenon::detail::element_of<X>>;
};

// The size that the type of a range settles, as that of std::array<float, 2>; -1 where a run alone knows it.
template <class R>
inline constexpr int static_size = -1;
template <class R>
requires(std::is_array_v<R> || requires { std::tuple_size<R>::value; })  //
    inline constexpr int static_size<R> = [] {
      if constexpr (std::is_array_v<R>) return static_cast<int>(std::extent_v<R>);
      else return static_cast<int>(std::tuple_size_v<R>);
    }();
template <class V, std::size_t N>
requires(N != std::dynamic_extent) inline constexpr int static_size<std::span<V, N>> = static_cast<int>(N);

template <class X>
constexpr problem unfit_value(const expected_value& e) {
  const edge& input = e.input;
  // The first question, whatever the shape: one-hot rows and ids in float are both no tokens.
  if constexpr (std::is_floating_point_v<typename numbers_in<X>::type>)
    if (input.is_token()) return e.no_whole_numbers(type_name<typename numbers_in<X>::type>());
  if constexpr (TensorExpression<X>) {
    if constexpr (static_rank<X>() >= 0)
      if (static_rank<X>() != e.rank()) {
        problem p = e.wrong(" takes", e.give_tensor());
        p.axis = "dimensions", p.expected = e.rank(), p.got = static_rank<X>();
        return p;
      }
    if constexpr (requires { typename X::value_type; })
      if (input.is_token() && !std::is_integral_v<typename X::value_type>)
        return e.no_whole_numbers(type_name<std::remove_cv_t<typename X::value_type>>());
  } else if constexpr (Ragged<X>) {
    if (!input.is_token())
      return e.wrong(": sequences of tokens are given, it takes numbers", e.give_tensor());
    if (e.is_grid()) return e.wrong(": sequences are given, it takes a grid", e.give_tensor());
    if (!e.is_sequence)
      return e.wrong(": sequences are given, it takes one token for each row", "give a flat range of tokens");
  } else if constexpr (Row<X>) {
    using given = tenon::detail::element_of<X>;
    if (e.is_grid() && input.is_token())
      return e.wrong(": a flat range is given, it takes a grid", e.give_tensor());
    if (e.is_sequence && !input.is_token() && !e.is_grid())
      return e.wrong(": a flat range is given, it takes sequences", e.give_sequences());
    if (e.is_sequence && !e.is_grid())
      return e.wrong(": a flat range is given, it takes sequences",
                     "give [batch, time], or a range of ranges");
    if (input.slabs > 1) return e.wrong(": a flat range is given, it takes layers", e.give_tensor());
    if (input.is_token() && !std::integral<given>) return e.no_whole_numbers(type_name<given>());
  } else if constexpr (NumberRows<X>) {
    if (!e.takes_ranges)
      return e.wrong(": numbers are taken as a tensor, not as ranges of ranges", e.give_tensor());
    if (e.is_sequence && !e.is_grid())
      return e.wrong(": rows of numbers are given, it takes sequences", e.give_sequences());
    if (input.slabs > 1) return e.wrong(": rows of numbers are given, it takes layers", e.give_tensor());
    constexpr int given = static_size<tenon::detail::element_of<X>>;
    if (given >= 0 && e.wrong_numbers(given).expected != given) return e.wrong_numbers(given);
  } else if constexpr (NumberSequences<X>) {
    if (!e.takes_ranges || !e.is_sequence || e.is_grid())
      return e.wrong(": sequences of numbers are given, it takes none", e.give_tensor());
    constexpr int given = static_size<tenon::detail::element_of<tenon::detail::element_of<X>>>;
    if (given >= 0 && input.size != given) return e.wrong_numbers(given);
  } else if constexpr (requires { typename tenon::detail::element_of<tenon::detail::element_of<X>>; }) {
    return e.wrong(": numbers are taken as a tensor, not as ranges of ranges", e.give_tensor());
  } else {
    return e.wrong(": what is given is neither a tensor nor a range of numbers", e.give_tensor());
  }
  return {};
}

// What is in the memory of a device, for a session that reads the program's.
template <class>
struct no_device {
  static constexpr problem wrong{
      .rule = "the session's outputs are in the program's memory, and on no device",
      .fix = "write on<backend::thrust_device>"};
};
template <class Plan, class X>
constexpr problem unfit_value_of(const expected_value& e) {
  if constexpr (OnDevice<X> && !backend::HasOwnMemory<typename Plan::backend>)
    return e.wrong(" is given in the memory of a device, and the session reads the program's",
                   no_device<Plan>::wrong.fix);
  else if constexpr (is_device_view<X>) {
    using N = typename X::value_type;
    if (e.input.is_token() && !std::is_integral_v<N>)
      return e.no_whole_numbers(type_name<std::remove_cv_t<N>>());
    return {};
  } else {
    return unfit_value<X>(e);
  }
}

// Behind a tensor may stand the lengths of its rows, then its layout.
template <class R>
concept Lengths = tenon::detail::SizedRange<R> && std::integral<tenon::detail::element_of<R>> &&
    requires(const R& r) {
  std::data(r);
};
template <class...>
inline constexpr bool are_lengths_and_layout = false;
template <>
inline constexpr bool are_lengths_and_layout<> = true;
template <class L>
inline constexpr bool are_lengths_and_layout<L> = Lengths<L> || std::same_as<L, layout>;
template <class L, class Order>
inline constexpr bool are_lengths_and_layout<L, Order> = Lengths<L>&& std::same_as<Order, layout>;

// What is given to set_input<"x">(session, ..).
template <class Plan, int E, class... Given>
struct unfit_input {
  static constexpr expected_value expected{Plan::net.edges[E], false};
  static constexpr problem wrong = expected.wrong(" is given nothing", expected.give_tensor());
};
template <class Plan, int E, class Value, class... More>
struct unfit_input<Plan, E, Value, More...> {
  static constexpr expected_value expected{Plan::net.edges[E], false};
  static constexpr problem wrong = [] {
    constexpr expected_value e = expected;
    if (const problem p = unfit_value_of<Plan, Value>(e)) return p;
    if (e.input.axis < 0 && (... || Lengths<More>))
      return e.wrong(": lengths are given, it has no time axis",
                     "leave them out, or give the input a steps<bound>");
    if (e.is_grid() && sizeof...(More) > 0)
      return e.wrong(": lengths or a layout are given, and all places of a grid are there", e.give_tensor());
    if (sizeof...(More) > 0 && !TensorExpression<Value> && !is_device_view<Value>)
      return e.wrong(": lengths and layout belong to a tensor",
                     "leave them out: ranges have their own lengths");
    if (!are_lengths_and_layout<More...>)
      return e.wrong(": behind the tensor stand its lengths, whole numbers, then its layout",
                     "write (tensor, lengths, layout::time_first)");
    return problem{};
  }();
};
// What is given to a call: a value for each input, or for one step of each that has steps.
template <class Plan, bool OneStep, class... Given>
struct unfit_values {
  static constexpr problem wrong = [] {
    constexpr auto inputs = given_inputs<Plan, OneStep>;
    if (sizeof...(Given) != inputs.size)
      return problem{.rule = OneStep ? "step takes" : "the call takes",
                     .axis = "inputs",
                     .expected = inputs.size,
                     .got = sizeof...(Given),
                     .fix = list_inputs<Plan, OneStep>().append(inputs.size > 1 ? ", in this order" : "")};
    problem p{};
    int k = 0;
    [[maybe_unused]] const auto look = [&]<class Value>() {
      const expected_value e{Plan::net.edges[inputs[k++]], OneStep};
      if (!p) p = unfit_value_of<Plan, Value>(e);
    };
    (look.template operator()<Given>(), ...);
    return p;
  }();
};

// --- parameters and gradients ------------------------------------------------------------------------------
// Can a function of this signature be called with them?
template <class Signature, class... Given>
concept Accepted = requires(Signature* f, Given&&... given) {
  f(static_cast<Given&&>(given)...);
};

// Theta is handed over where a block of G in T is needed: What it is, "parameters" or "gradients".
template <class G, class T, class Theta>
constexpr problem unfit_block(characters what) {
  problem p{.rule = sentence("these are not the ").append(what).append(" of the session's graph"),
            .fix = "hand over parameters<graph>, of the same graph"};
  if constexpr (requires {
                  Theta::graph_type::title;
                  G::title;
                })
    if constexpr (!std::same_as<typename Theta::graph_type, G>) {
      p.rule = sentence("these are the ").append(what).append(" of graph '").append(Theta::graph_type::title);
      p.rule.append("', the session runs ");
      if (Theta::graph_type::title == G::title) p.rule.append("another graph of this name");
      else p.rule.append("graph '").append(G::title).append("'");
    }
  if constexpr (requires { typename Theta::graph_type; })
    if constexpr (std::same_as<typename Theta::graph_type, G>) {
      const name got = type_name<typename Theta::scalar>(), expected = type_name<T>();
      if (got == expected)
        return {.rule = sentence("the ").append(what).append(" are const, and written to"),
                .fix = "hand over a block that is not const"};
      p.rule = sentence("the ").append(what).append(" are ").append(got.view());
      p.rule.append(", the session computes in ").append(expected.view());
      p.fix = sentence("write scalar_type<").append(got.view()).append(">, or parameters<graph, ");
      p.fix.append(expected.view()).append(">");
    }
  return p;
}
// Of a session that is bound to parameters which end with the line.
template <class>
struct bound_to_temporary {
  static constexpr problem wrong{
      .rule = "the parameters end with this line, and the session reads them later",
      .fix = "give them a name: parameters<graph> theta;"};
};
template <class G, class T, class Theta>
struct wrong_parameters {
  static constexpr problem wrong = unfit_block<G, T, Theta>("parameters");
};
// Of a call on the parameters that the session is bound to. The first value may be a block of parameters, of another graph.
template <class G, class T, class Plan, bool OneStep, class... Given>
struct unfit_call : unfit_values<Plan, OneStep, Given...> {};
template <class G, class T, class Plan, bool OneStep, class First, class... More>
requires(is_laid_out<Plan>&& requires {
  typename First::graph_type;
}) struct unfit_call<G, T, Plan, OneStep, First, More...> : wrong_parameters<G, T, First> {
};
// Of a graph that does not fit, of which its parameters have said so.
template <class G, class T, class Plan, bool OneStep, class... Given>
requires(!is_laid_out<Plan>) struct unfit_call<G, T, Plan, OneStep, Given...> {
  static constexpr problem wrong{};
};
// Of a call that takes the parameters only: run(theta), forward(theta).
template <class G, class T, text Call, class... Given>
struct wrong_run {
  static constexpr problem wrong = [] {
    if constexpr (sizeof...(Given) == 1)
      return unfit_block<G, T, std::remove_cvref_t<Given>...>("parameters");
    else
      return problem{.rule = sentence(Call.view()).append(" takes the parameters only:"),
                     .axis = "arguments",
                     .expected = 1,
                     .got = sizeof...(Given),
                     .fix = "give the inputs before it: set_input<\"name\">(session, value)"};
  }();
};
template <class G, class T, class... Given>
struct wrong_backward {
  static constexpr problem wrong{.rule = "backward takes the parameters, then the gradients:",
                                 .axis = "arguments",
                                 .expected = 2,
                                 .got = sizeof...(Given),
                                 .fix = "the gradients are a parameters<graph> of their own"};
};
template <class G, class T, class Theta, class Gradients, class... More>
struct wrong_backward<G, T, Theta, Gradients, More...> {
  static constexpr problem wrong = [] {
    if (!Accepted<void(const parameters<G, T>&), Theta>)
      return unfit_block<G, T, std::remove_cvref_t<Theta>>("parameters");
    if (!Accepted<void(parameters<G, T>&), Gradients>)
      return unfit_block<G, T, std::remove_cvref_t<Gradients>>("gradients");
    return problem{.rule = "the loss gives the adjoints: backward takes the parameters, then the gradients:",
                   .axis = "arguments",
                   .expected = 2,
                   .got = 2 + sizeof...(More),
                   .fix = "write differentiation<graph, void>"};
  }();
};
// What backward takes: the parameters, the gradients and, where they are the caller's, the adjoints of the
// outputs.
template <class G, class T, bool WithAdjoints, class... Given>
inline constexpr bool backward_takes = false;
template <class G, class T, bool WithAdjoints, class Theta, class Gradients, class... Adjoints>
inline constexpr bool backward_takes<G, T, WithAdjoints, Theta, Gradients, Adjoints...> =
    Accepted<void(const parameters<G, T>&, parameters<G, T>&), Theta, Gradients> &&
    (WithAdjoints || sizeof...(Adjoints) == 0);

// Of backward without an objective: behind the gradients, the adjoints of all outputs.
template <class Plan, class... Given>
struct unfit_adjoints {
  static constexpr problem wrong = [] {
    constexpr const auto& net = Plan::net;
    sentence all = "the outputs are";
    for (int o = 0; o < net.outputs.size; ++o)
      if (all.size + net.output_names[o].size + 8 <= sentence::capacity)
        all.append(o > 0 ? ", '" : " '").append(net.output_names[o].view()).append("'");
    if (sizeof...(Given) != net.outputs.size)
      return problem{.rule = "behind the gradients backward takes the adjoint of each output:",
                     .axis = "adjoints",
                     .expected = net.outputs.size,
                     .got = sizeof...(Given),
                     .fix = all.append(", in this order")};
    problem p{};
    int o = 0;
    [[maybe_unused]] const auto look = [&]<class Value>() {
      const expected_value e{net.edges[net.outputs[o]], false};
      const sentence which = sentence("the adjoint of output '").append(net.output_names[o++].view());
      if (p) return;
      if constexpr (!TensorExpression<Value>)
        p = {.rule = sentence(which.view()).append("' is no tensor"), .fix = e.give_tensor()};
      else if (static_rank<Value>() >= 0 && static_rank<Value>() != e.rank())
        p = {.rule = sentence(which.view()).append("' takes"),
             .axis = "dimensions",
             .expected = e.rank(),
             .got = static_rank<Value>(),
             .fix = e.give_tensor()};
    };
    (look.template operator()<Given>(), ...);
    return p;
  }();
};

// --- adjoints and gradients by name -------------------------------------------------------------------------
template <class Plan, bool HasObjective, text Name>
struct no_output_adjoint {
  static constexpr problem wrong = [] {
    if (output_edge<Plan>(Name) < 0) return unknown_output<Plan, Name>::wrong;
    problem p{.rule = sentence("output '").append(Name.view()).append("' has no adjoint to write: ")};
    if (!Plan::training)
      p.rule.append("the session runs forward only"), p.fix = "write differentiation<graph, void>";
    else if (HasObjective)
      p.rule.append("it follows from the loss"), p.fix = "write differentiation<graph, void>";
    else p.rule.append("no parameter reaches it"), p.fix = "the option input_gradients adds the inputs";
    return p;
  }();
};
template <class Plan, text Name>
struct no_input_gradient {
  static constexpr problem wrong = [] {
    const int e = input_edge<Plan>(Name);
    if (e < 0) return unknown_input<Plan, Name>::wrong;
    problem p{.rule = sentence("input '").append(Name.view()).append("' has no gradient: ")};
    if (Plan::net.edges[e].is_token())
      p.rule.append("it is tokens"), p.fix = "ask for the gradient of the table, node.weight";
    else if (!Plan::input_gradients)
      p.rule.append("none was asked for"), p.fix = "add the option input_gradients";
    else p.rule.append("nothing that is differentiated reads it"), p.fix = "name another input";
    return p;
  }();
};
template <class, text What>
struct belongs_to_a_shard {
  static constexpr problem wrong{
      .rule = sentence("with shards<N> each shard has its own ").append(What.view()),
      .fix = sentence("write get<\"name\">(trainer.shard(k))")};
};

}  // namespace tenon::engine
