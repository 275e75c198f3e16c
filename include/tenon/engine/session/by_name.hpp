// What takes a name is a free function: set_input<"x">(session, value), get<"y">(session), input_gradient<"x">(session),
// output_adjoint<"y">(session). A session is an inference, a stream, a differentiation, or a trainer, which has one.
#pragma once

#include "tenon/engine/session/access.hpp"
#include "tenon/engine/session/argument_errors.hpp"

#include <array>
#include <cstddef>

namespace tenon {

namespace engine {

// Zeros for all rows of a batch: an initial state.
template <class Plan, int E>
struct zero_rows {
  static constexpr const auto& edge = Plan::net.edges[E];
  using value_type = typename Plan::scalar;
  std::size_t dimension() const { return edge.layers > 1 ? 3 : 2; }
  std::array<std::size_t, 3> shape() const {
    constexpr auto rows = static_cast<std::size_t>(Plan::batch), size = static_cast<std::size_t>(edge.size);
    if constexpr (edge.layers > 1) return {static_cast<std::size_t>(edge.layers), rows, size};
    else return {rows, size, 0};
  }
  value_type operator()(auto...) const { return 0; }
};

}  // namespace engine

// Sets the input of this name: a tensor expression, a range of token sequences or a flat range; behind a sequence may follow
// its lengths, then layout::time_first. `zeros` are zeros for all rows of the batch: an initial state. What was set stays until
// it is set again. Throws input_error and changes nothing if something is wrong.
template <ir::text Name, class Session, class... Given>
void set_input(Session& session, const Given&... given) {
  static_assert(sizeof(Session) > 0);  // what is wrong with its graph is said here, with nothing around it
  if constexpr (!engine::Planned<Session>) {
    tenon::detail::say<
        tenon::detail::error_in<engine::no_session<Session, "set_input<\"name\">(session, value)">>>();
  } else if constexpr (engine::input_edge<typename Session::plan>(Name) < 0) {
    if constexpr (engine::is_laid_out<typename Session::plan>)
      tenon::detail::say<tenon::detail::error_in<engine::unknown_input<typename Session::plan, Name>>>();
  } else {
    using plan = typename Session::plan;
    constexpr int e = engine::input_edge<plan>(Name);
    using unfit = engine::unfit_input<plan, e, Given...>;
    if constexpr (unfit::wrong) tenon::detail::say<tenon::detail::error_in<unfit>>();
    else engine::access::set_input<e>(session, given...);
  }
}
template <ir::text Name, class Session>
void set_input(Session& session, zeros) {
  using plan = typename Session::plan;
  constexpr int e = engine::input_edge<plan>(Name);
  if constexpr (e >= 0) set_input<Name>(session, engine::zero_rows<plan, e>{});
  else set_input<Name>(session, view<const typename plan::scalar>{});  // says that there is none
}
// The output of this name in the last run: [rows, D], [rows, time, D] (zeros past each sequence's end),
// [rows, height, width, D] or [layers, rows, D]; of a step of a stream [rows, D]. layout::time_first shows a sequence as
// [time, rows, D]: the same memory through other strides. The view is valid as long as the session is.
template <ir::text Name, class Session>
requires requires { typename Session::plan; }
auto get(const Session& session, layout order = layout::batch_first) {
  using plan = typename Session::plan;
  constexpr int e = engine::output_edge<plan>(Name);
  if constexpr (engine::IsCut<const Session>) {
    tenon::detail::say<tenon::detail::error_in<engine::belongs_to_a_shard<Session, "outputs">>>();
    return view<const typename plan::scalar>{};
  } else if constexpr (e < 0) {
    if constexpr (engine::is_laid_out<plan>)
      tenon::detail::say<tenon::detail::error_in<engine::unknown_output<plan, Name>>>();
    return view<const typename plan::scalar>{};
  } else {
    return engine::access::output<e>(session, order);
  }
}
template <ir::text Name, class Session>
view<const typename Session::plan::scalar> get(const Session&&, layout = layout::batch_first) {
  tenon::detail::say<tenon::detail::error_in<engine::output_of_temporary<Session, Name>>>();
  return {};
}
// The same where the kernels of a backend with memory of its own find it: the numbers are there when what is queued in the stream of the
// session is done. Nothing is copied.
template <ir::text Name, class Session>
device_view<const typename Session::plan::scalar> get_on_device(const Session& session,
                                                                layout order = layout::batch_first) {
  using plan = typename Session::plan;
  constexpr int e = engine::output_edge<plan>(Name);
  if constexpr (!backend::HasOwnMemory<typename plan::backend>) {
    tenon::detail::say<tenon::detail::error_in<engine::no_device<plan>>>();
    return {};
  } else if constexpr (e < 0) {
    if constexpr (engine::is_laid_out<plan>)
      tenon::detail::say<tenon::detail::error_in<engine::unknown_output<plan, Name>>>();
    return {};
  } else {
    return engine::access::output_there<e>(session, order);
  }
}
template <ir::text Name, class Session>
device_view<const typename Session::plan::scalar> get_on_device(const Session&&,
                                                                layout = layout::batch_first) {
  tenon::detail::say<tenon::detail::error_in<engine::output_of_temporary<Session, Name>>>();
  return {};
}
// The input of this name as it was set last: numbers in the shape of the input, tokens as whole numbers [rows], [rows, time] or
// [rows, height, width]. Past a sequence's end there are zeros, and tokens of -1.
template <ir::text Name, class Session>
requires requires { typename Session::plan; }
auto get_input(const Session& session) {
  using plan = typename Session::plan;
  constexpr int e = engine::input_edge<plan>(Name);
  if constexpr (engine::IsCut<const Session>) {
    tenon::detail::say<tenon::detail::error_in<engine::belongs_to_a_shard<Session, "inputs">>>();
    return view<const typename plan::scalar>{};
  } else if constexpr (e < 0) {
    if constexpr (engine::is_laid_out<plan>)
      tenon::detail::say<tenon::detail::error_in<engine::unknown_input<plan, Name>>>();
    return view<const typename plan::scalar>{};
  } else {
    return engine::access::input<e>(session);
  }
}
// dL/dinput of a numeric input, in the shape of the input; of a session with the option input_gradients, after backward.
template <ir::text Name, class Session>
requires requires { typename Session::plan; }
auto input_gradient(const Session& session) {
  using plan = typename Session::plan;
  constexpr int e = engine::input_edge<plan>(Name);
  if constexpr (engine::IsCut<const Session>) {
    tenon::detail::say<tenon::detail::error_in<engine::belongs_to_a_shard<Session, "input gradients">>>();
    return view<const typename plan::scalar>{};
  } else if constexpr (plan::input_gradients && engine::has_adjoint<plan>(e)) {
    return engine::access::input_gradient<e>(session);
  } else {
    if constexpr (engine::is_laid_out<plan>)
      tenon::detail::say<tenon::detail::error_in<engine::no_input_gradient<plan, Name>>>();
    return view<const typename plan::scalar>{};
  }
}
// dL/doutput of a differentiation without an objective, to be added to between forward and backward; zero after forward. Two
// outputs may be one memory: y.final is a part of y.h_n.
template <ir::text Name, class Session>
requires requires { typename Session::plan; }
auto output_adjoint(Session& session) {
  using plan = typename Session::plan;
  constexpr int e = engine::output_edge<plan>(Name);
  if constexpr (engine::has_adjoint<plan>(e) && !engine::has_objective<Session>) {
    return engine::access::output_adjoint<e>(session);
  } else {
    if constexpr (engine::is_laid_out<plan>)
      tenon::detail::say<
          tenon::detail::error_in<engine::no_output_adjoint<plan, engine::has_objective<Session>, Name>>>();
    return view<typename plan::scalar>{};
  }
}

// The name as an argument: set_input(session, "x", value).
template <engine::Planned Session, class... Given>
void set_input(Session&, const Given&...) {
  tenon::detail::say<
      tenon::detail::error_in<engine::name_as_argument<Session, "set_input<\"name\">(session, value)">>>();
}
template <engine::Planned Session, class... Given>
view<const typename Session::plan::scalar> get(const Session&, const Given&...) {
  tenon::detail::say<tenon::detail::error_in<engine::name_as_argument<Session, "get<\"name\">(session)">>>();
  return {};
}
// A type in place of the name: get<model>(session).
template <class Name, engine::Planned Session>
view<const typename Session::plan::scalar> get(const Session&, layout = layout::batch_first) {
  tenon::detail::say<tenon::detail::error_in<engine::type_as_name<Name>>>();
  return {};
}
// Of what is no session: get<"y">(model(x)).
template <ir::text Name, class Thing>
requires(engine::IsName<Name> && !engine::Planned<Thing> && !engine::IsBlock<Thing>)  //
    view<const float> get(const Thing&, ...) {
  tenon::detail::say<tenon::detail::error_in<engine::no_session<Thing, "get<\"name\">(session)">>>();
  return {};
}

}  // namespace tenon
