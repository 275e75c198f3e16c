// argument_errors: mistakes in the arguments of a session's calls, found at compile time and reported by the session:
// parameters, gradients, adjoints, and the number of arguments. Names and values of inputs are in headers of their own.
#pragma once

#include "tenon/engine/refusals/value_errors.hpp"
#include "tenon/parameters/parameters.hpp"

#include <tuple>
#include <type_traits>

// For sessions bound to a wrong argument. The constructors are deleted, so that std::is_constructible is false.
#define TENON_BOUND_TO_TEMPORARY                                          \
  "the parameters end with this line, and the session reads them later; " \
  "give them a name: parameters<graph> theta;"
#define TENON_BOUND_TO_OTHER \
  "these are not the parameters of the session's graph; pass parameters<graph>, of the same graph"
#define TENON_BOUND_TO_SCALAR                                                    \
  "parameters and session are of different scalars; write scalar_type<double>, " \
  "or parameters<graph, float>"
#define TENON_OPTIONS_AS_ARGUMENTS                                                                    \
  "a session takes only its parameters and, on a CPU, threads{2}; its options are part of its type: " \
  "inference<graph, batch<32>>, streaming<graph, batch<32>>"
#define TENON_OUTPUTS_OF_TEMPORARY                                                     \
  "what the call returns are views into a session that ends with this line; give the " \
  "session a name: inference<graph> model(theta);"

namespace tenon::inline v0_1::engine {

// --- parameters and gradients ------------------------------------------------------------------------------
// Can a function of this signature be called with these arguments?
template <class Signature, class... Given>
concept Accepted = requires(Signature* f, Given&&... arguments) {
  f(static_cast<Given&&>(arguments)...);
};

// Theta is passed where a block of graph G in T is needed. `what`: "parameters" or "gradients".
template <class G, class T, class Theta>
constexpr problem unfit_block(characters what) {
  problem p{.rule = sentence("these are not the ").append(what).append(" of the session's graph"),
            .fix = "pass parameters<graph>, of the same graph"};
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
                .fix = "pass a block that is not const"};
      p.rule = sentence("the ").append(what).append(" are ").append(got.view());
      p.rule.append(", the session computes in ").append(expected.view());
      p.fix = sentence("write scalar_type<").append(got.view()).append(">, or parameters<graph, ");
      p.fix.append(expected.view()).append(">");
    }
  return p;
}
template <class Theta, class G, class T>
concept OfOtherScalar = OtherThan<Theta, parameters<G, T>> && IsBlockOf<Theta, G>;
template <class Theta, class G, class T>
concept OfOtherGraph =
    OtherThan<Theta, parameters<G, T>> && !IsBlockOf<Theta, G> && !std::same_as<G, graph_as_value>;
template <class G, class T, class Theta>
struct unfit_bound_parameters {
  static constexpr problem wrong =
      std::same_as<G, graph_as_value> ? problem{} : unfit_block<G, T, Theta>("parameters");
};
// A call that uses the bound parameters. The first value may be a parameter block of another graph.
template <class G, class T, class Plan, given_as What, class... Given>
struct unfit_call : unfit_values<Plan, What, Given...> {};
template <class G, class T, class Plan, given_as What, class First, class... More>
requires(is_laid_out<Plan>&& requires {
  typename First::graph_type;
}) struct unfit_call<G, T, Plan, What, First, More...> : unfit_bound_parameters<G, T, First> {
};
template <class G, class T, class Plan, given_as What, class... More>
requires is_laid_out<Plan>
struct unfit_call<G, T, Plan, What, parameters<G, T>, More...> : unfit_values<Plan, What, More...> {
};
// For a graph with an error, which its parameters have reported.
template <class G, class T, class Plan, given_as What, class... Given>
requires(!is_laid_out<Plan>) struct unfit_call<G, T, Plan, What, Given...> {
  static constexpr problem wrong{};
};
// A call that takes the parameters only: run(theta), forward(theta).
template <class G, class T, text Call, class... Given>
struct unfit_run {
  static constexpr problem wrong = [] {
    // a compiler may instantiate this for a correct call, too
    if constexpr (Accepted<void(const parameters<G, T>&), Given...>) return problem{};
    else if constexpr (sizeof...(Given) == 1)
      return unfit_block<G, T, std::remove_cvref_t<Given>...>("parameters");
    else
      return problem{.rule = sentence(Call.view()).append(" takes the parameters only:"),
                     .axis = "arguments",
                     .expected = 1,
                     .got = sizeof...(Given),
                     .fix = "give the inputs before it: set_input<\"name\">(session, value)"};
  }();
};
// The arguments of backward: the parameters, the gradients and, if the caller gives them, the adjoints of the
// outputs.
template <class G, class T, bool WithAdjoints, class... Given>
inline constexpr bool backward_takes = false;
template <class G, class T, bool WithAdjoints, class Theta, class Gradients, class... Adjoints>
inline constexpr bool backward_takes<G, T, WithAdjoints, Theta, Gradients, Adjoints...> =
    Accepted<void(const parameters<G, T>&, parameters<G, T>&), Theta, Gradients> &&
    (WithAdjoints || sizeof...(Adjoints) == 0);

template <class G, class T, bool WithAdjoints, class... Given>
struct unfit_backward {
  static constexpr problem wrong{.rule = "backward takes the parameters, then the gradients:",
                                 .axis = "arguments",
                                 .expected = 2,
                                 .got = sizeof...(Given),
                                 .fix = "the gradients are a parameters<graph> of their own"};
};
template <class G, class T, bool WithAdjoints, class Theta, class Gradients, class... More>
struct unfit_backward<G, T, WithAdjoints, Theta, Gradients, More...> {
  static constexpr problem wrong = [] {
    if (backward_takes<G, T, WithAdjoints, Theta, Gradients, More...>) return problem{};
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
// backward without an objective: the adjoints of all outputs follow the gradients.
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
      if constexpr (!concepts::TensorExpression<Value>)
        p = {.rule = sentence(which.view()).append("' is not a tensor"), .fix = e.give_tensor()};
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
struct unfit_name_of_adjoint {
  static constexpr problem wrong = [] {
    if (output_edge<Plan>(Name) < 0) return unfit_name_of_output<Plan, Name>::wrong;
    sentence rule = sentence("output '").append(Name.view()).append("' has no adjoint to write: ");
    if (!Plan::training || HasObjective)
      return problem{
          .rule = rule.append(Plan::training ? "it follows from the loss" : "the session runs forward only"),
          .fix = "write differentiation<graph, void>"};
    return problem{.rule = rule.append("no parameter reaches it"),
                   .fix = "the option input_gradients adds the inputs"};
  }();
};
template <class Plan, text Name>
struct unfit_name_of_gradient {
  static constexpr problem wrong = [] {
    const int e = input_edge<Plan>(Name);
    if (e < 0) return unfit_name_of_input<Plan, Name>::wrong;
    sentence rule = sentence("input '").append(Name.view()).append("' has no gradient: ");
    if (Plan::net.edges[e].is_token())
      return problem{.rule = rule.append("it is tokens"),
                     .fix = "ask for the gradient of the table, node.weight"};
    if (!Plan::input_gradients)
      return problem{.rule = rule.append("none was asked for"), .fix = "add the option input_gradients"};
    return problem{.rule = rule.append("nothing that is differentiated reads it"),
                   .fix = "name another input"};
  }();
};
template <class, text What>
struct belongs_to_a_shard {
  static constexpr problem wrong{
      .rule = sentence("with shards<N> each shard has its own ").append(What.view()),
      .fix = sentence("write get<\"name\">(trainer.shard(k))")};
};

// --- calls that name an input or output --------------------------------------------------------------------
// A session, a trainer or a shard of one.
template <class S>
concept Planned = requires {
  typename S::plan;
};
template <class S>
inline constexpr bool has_objective = [] {
  if constexpr (requires { typename S::objective; }) return !std::same_as<typename S::objective, void>;
  else return true;
}();
// A trainer with shards<N>: its outputs belong to the shards.
template <class S>
concept IsCut = requires(S& s) {
  s.shard(0);
};

template <class Session, text Name>
struct given_to_shards_there {
  static constexpr problem wrong{.rule = sentence("with shards<N> the program cuts its batch, and '")
                                             .append(Name.view())
                                             .append("' is given in a device's memory"),
                                 .fix = "give a tensor of the program's memory"};
};

// What is wrong with a call that names an input or output of a session; nothing, if its graph has a reported error.
template <class Session, text Name, class... Given>
struct unfit_setting {
  static constexpr problem wrong = [] {
    if constexpr (!Planned<Session>) {
      return unfit_session<Session, "set_input<\"name\">(session, value)">::wrong;
    } else if constexpr (std::is_const_v<Session>) {
      return const_session<Session>::wrong;
    } else {
      using session_plan = typename Session::plan;
      constexpr int e = input_edge<session_plan>(Name);
      if constexpr (!is_laid_out<session_plan>) return problem{};
      else if constexpr (e < 0) return unfit_name_of_input<session_plan, Name>::wrong;
      else if constexpr (IsCut<Session> && (OnDevice<Given> || ...))
        return given_to_shards_there<Session, Name>::wrong;
      else return unfit_input<session_plan, e, Given...>::wrong;
    }
  }();
};
// A compiler may instantiate this for a type that is no session, before it checks the function's constraints. (nvcc 13
// matches no partial specialisation over a text.)
template <class Session, text Name>
struct unfit_output {
  static constexpr problem wrong = [] {
    if constexpr (!Planned<Session>) {
      return problem{};
    } else {
      using session_plan = typename Session::plan;
      if constexpr (IsCut<const Session>) return belongs_to_a_shard<Session, "outputs">::wrong;
      else if constexpr (!is_laid_out<session_plan> || output_edge<session_plan>(Name) >= 0) return problem{};
      else return unfit_name_of_output<session_plan, Name>::wrong;
    }
  }();
};
template <class Session, text Name>
struct unfit_reading {
  static constexpr problem wrong = [] {
    if constexpr (!Planned<Session>) {
      return problem{};
    } else {
      using session_plan = typename Session::plan;
      if constexpr (IsCut<const Session>) return belongs_to_a_shard<Session, "inputs">::wrong;
      else if constexpr (!is_laid_out<session_plan> || input_edge<session_plan>(Name) >= 0) return problem{};
      else return unfit_name_of_input<session_plan, Name>::wrong;
    }
  }();
};
template <class Session, text Name>
struct unfit_input_gradient {
  static constexpr problem wrong = [] {
    if constexpr (!Planned<Session>) {
      return problem{};
    } else {
      using session_plan = typename Session::plan;
      if constexpr (IsCut<const Session>) return belongs_to_a_shard<Session, "input gradients">::wrong;
      else if constexpr (!is_laid_out<session_plan> ||
                         (session_plan::input_gradients &&
                          has_adjoint<session_plan>(input_edge<session_plan>(Name))))
        return problem{};
      else return unfit_name_of_gradient<session_plan, Name>::wrong;
    }
  }();
};
template <class Session, text Name>
struct unfit_output_adjoint {
  static constexpr problem wrong = [] {
    if constexpr (!Planned<Session>) {
      return problem{};
    } else {
      using session_plan = typename Session::plan;
      if constexpr (!is_laid_out<session_plan> ||
                    (has_adjoint<session_plan>(output_edge<session_plan>(Name)) && !has_objective<Session>))
        return problem{};
      else return unfit_name_of_adjoint<session_plan, has_objective<Session>, Name>::wrong;
    }
  }();
};

}  // namespace tenon::inline v0_1::engine
