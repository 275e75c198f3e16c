// Functions with a name are free functions: set_input<"x">(session, value), get<"y">(session),
// input_gradient<"x">(session), output_adjoint<"y">(session). A session is an inference, a stream, a differentiation,
// or a trainer, which owns one.
#pragma once

#include "tenon/engine/inputs/members_as_inputs.hpp"
#include "tenon/engine/refusals/argument_errors.hpp"
#include "tenon/engine/session/access.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace tenon::inline v0_1 {

namespace engine {

template <class...>
struct never_given {
  never_given() = delete;
  using type = never_given;
};

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

// Sets the input of this name to a tensor expression, a range of token sequences or a flat range. A tensor may be
// followed by its lengths, then by layout::time_first. `zeros` are an initial state for any number of rows. A
// value stays until it is set again. If something is wrong, throws input_error and changes nothing.
//
// The first overload is never called. To find that out, a compiler completes the session's type before it checks the
// constraints of the others, so that an error of the graph is reported once, at the call.
template <ir::text Name, class... Given>
void set_input(const typename engine::never_given<Given...>::type&, const Given&...);
template <ir::text Name, class Session, class... Given>
requires(!tenon::detail::Refused<engine::unfit_setting<Session, Name, Given...>>)  //
    void set_input(Session& session, const Given&... values) {
  using plan = typename Session::plan;
  constexpr int e = engine::input_edge<plan>(Name);
  if constexpr (e >= 0) engine::access::set_input<e>(session, values...);
}
template <ir::text Name, class Session, class... Given>
requires tenon::detail::Refused<engine::unfit_setting<Session, Name, Given...>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_setting<Session, Name, Given...>>> set_input(
        Session&, const Given&...);
template <ir::text Name, class Session>
TENON_CALL(TENON_BRACES_OF_VALUES, void)
set_input(const volatile Session&, tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);
template <ir::text Name, engine::Planned Session>
requires(engine::input_edge<typename Session::plan>(Name) >= 0)  //
    void set_input(Session& session, zeros) {
  using plan = typename Session::plan;
  constexpr int e = engine::input_edge<plan>(Name);
  set_input<Name>(session, engine::zero_rows<plan, e>{});
  engine::access::serve_any_rows<e>(session);
}
// The output of this name in the last run: [rows, D], [rows, time, D] (zeros past each sequence's end),
// [rows, height, width, D] or [layers, rows, D]; for a step of a stream [rows, D]. layout::time_first shows a sequence
// as [time, rows, D]: the same memory with other strides. The view is valid as long as the session lives.
template <ir::text Name, engine::Planned Session>
requires(!tenon::detail::Refused<engine::unfit_output<Session, Name>>) auto get(
    const Session& session, layout order = layout::batch_first) {
  using plan = typename Session::plan;
  constexpr int e = engine::output_edge<plan>(Name);
  if constexpr (e < 0) return view<const typename plan::scalar>{};
  else return engine::access::output<e>(session, order);
}
template <ir::text Name, engine::Planned Session>
requires tenon::detail::Refused<engine::unfit_output<Session, Name>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_output<Session, Name>>> get(
        const Session&, layout = layout::batch_first);
template <ir::text Name, class Session>
view<const typename Session::plan::scalar> get(const Session&&, layout = layout::batch_first) {
  tenon::detail::say<tenon::detail::error_in<engine::view_of_temporary<"output", Name>>>();
  return {};
}
namespace backend {
// The same output in the memory of a backend with memory of its own. The numbers are complete when all work queued in
// the session's stream is done. Nothing is copied.
template <ir::text Name, class Session>
device_view<const typename Session::plan::scalar> get_on_device(const Session& session,
                                                                layout order = layout::batch_first) {
  using plan = typename Session::plan;
  constexpr int e = engine::output_edge<plan>(Name);
  if constexpr (!HasOwnMemory<typename plan::backend>) {
    tenon::detail::say<tenon::detail::error_in<engine::no_device<plan>>>();
    return {};
  } else if constexpr (e < 0) {
    if constexpr (engine::is_laid_out<plan>)
      tenon::detail::say<tenon::detail::error_in<engine::unfit_name_of_output<plan, Name>>>();
    return {};
  } else {
    return engine::access::output_there<e>(session, order);
  }
}
template <ir::text Name, class Session>
device_view<const typename Session::plan::scalar> get_on_device(const Session&&,
                                                                layout = layout::batch_first) {
  tenon::detail::say<tenon::detail::error_in<engine::view_of_temporary<"output", Name>>>();
  return {};
}
}  // namespace backend
// The input of this name as it was set last: numbers in the shape of the input, tokens as whole numbers [rows], [rows, time] or
// [rows, height, width]. Past a sequence's end, numbers are 0 and tokens are -1.
template <ir::text Name, engine::Planned Session>
requires(!tenon::detail::Refused<engine::unfit_reading<Session, Name>>) auto get_input(
    const Session& session) {
  using plan = typename Session::plan;
  constexpr int e = engine::input_edge<plan>(Name);
  if constexpr (e < 0) return view<const typename plan::scalar>{};
  else return engine::access::input<e>(session);
}
template <ir::text Name, engine::Planned Session>
requires tenon::detail::Refused<engine::unfit_reading<Session, Name>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_reading<Session, Name>>> get_input(
        const Session&);
template <ir::text Name, engine::Planned Session>
view<const typename Session::plan::scalar> get_input(const Session&&) {
  tenon::detail::say<tenon::detail::error_in<engine::view_of_temporary<"input", Name>>>();
  return {};
}
// dL/dinput of a numeric input, in the shape of the input. Needs the option input_gradients; read it after backward.
template <ir::text Name, engine::Planned Session>
requires(!tenon::detail::Refused<engine::unfit_input_gradient<Session, Name>>) auto input_gradient(
    const Session& session) {
  using plan = typename Session::plan;
  constexpr int e = engine::input_edge<plan>(Name);
  if constexpr (e < 0) return view<const typename plan::scalar>{};
  else return engine::access::input_gradient<e>(session);
}
template <ir::text Name, engine::Planned Session>
requires tenon::detail::Refused<engine::unfit_input_gradient<Session, Name>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_input_gradient<Session, Name>>> input_gradient(
        const Session&);
template <ir::text Name, engine::Planned Session>
view<const typename Session::plan::scalar> input_gradient(const Session&&) {
  tenon::detail::say<tenon::detail::error_in<engine::view_of_temporary<"gradient of input", Name>>>();
  return {};
}
// dL/doutput of a differentiation without an objective. It is zero after forward; add to it before backward. Two
// outputs may share memory: y.final is a part of y.h_n.
template <ir::text Name, engine::Planned Session>
requires(!tenon::detail::Refused<engine::unfit_output_adjoint<Session, Name>>) auto output_adjoint(
    Session& session) {
  using plan = typename Session::plan;
  constexpr int e = engine::output_edge<plan>(Name);
  if constexpr (e < 0) return view<typename plan::scalar>{};
  else return engine::access::output_adjoint<e>(session);
}
template <ir::text Name, engine::Planned Session>
requires tenon::detail::Refused<engine::unfit_output_adjoint<Session, Name>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_output_adjoint<Session, Name>>> output_adjoint(
        Session&);

// Error: the name as an argument, set_input(session, "x", value).
template <engine::Planned Session, class... Given>
tenon::detail::refused<
    tenon::detail::why<engine::name_as_argument<Session, "set_input<\"name\">(session, value)">>>
set_input(Session&, const Given&...);
template <engine::Planned Session, class... Given>
tenon::detail::refused<
    tenon::detail::why<engine::name_as_argument<Session, "set_input<\"name\">(session, value)">>>
set_input(std::string_view, Session&, const Given&...);
// Error: a type in place of the name, get<model>(session). A struct whose members are outputs is read by data/struct_outputs.hpp.
template <class Name, engine::Planned Session>
requires(!engine::members_as_inputs<Name>::exist)  //
    tenon::detail::refused<tenon::detail::why<engine::type_as_name<Name>>> get(const Session&,
                                                                               layout = layout::batch_first);
// Error: the argument is no session, get<"y">(model(x)).
template <ir::text Name, class Thing>
requires(engine::IsName<Name> && !engine::Planned<Thing> && !engine::IsBlock<Thing>)  //
    view<const float> get(const Thing&, ...) {
  tenon::detail::say<tenon::detail::error_in<engine::unfit_session<Thing, "get<\"name\">(session)">>>();
  return {};
}

}  // namespace tenon::inline v0_1
