// runs_of_stream: the base of a stream that has run(steps...), if it takes blocks of them.
#pragma once

#include "tenon/diagnostics/wrong_method.hpp"
#include "tenon/engine/refusals/argument_errors.hpp"
#include "tenon/engine/session/bound_parameters.hpp"
#include "tenon/engine/session/realtime.hpp"
#include "tenon/engine/session/session_base.hpp"

namespace tenon::inline v0_1::engine {

TENON_WITHOUT(
    streaming_has_no_run, run,
    "streaming takes one step at a time: it has no run; write step(a value for each input), or for several "
    "steps at once streaming<graph, block<64>>");

template <class Stream, class G, class... Options>
struct runs_of_stream : streaming_has_no_run {};

template <class Stream, class G, class... Options>
requires(BlockOption<Options> || ...) struct runs_of_stream<Stream, G, Options...> {
  using plan = plan_of<G, void, purpose::streaming, Options...>;
  using T = typename plan::scalar;

  // Takes from 1 to N steps, block<N>, of every input that it steps along, in the order of the graph. Each is what a whole
  // sequence is to an inference, a tensor [rows, steps, D] or a range for each row; of one row also its steps in a flat
  // range or a range of ranges, and of one feature a range of numbers for each row. Rows may differ in their number of
  // steps, also 0. Returns the outputs of these steps, [rows, steps, D], zeros past the end of a row, or a tuple of all
  // outputs; the next run overwrites them. Throws input_error and changes nothing as step does.
  template <class... Given>
      outputs_of<plan> run(const parameters<G, T>& theta, const Given&... values) & requires
      Fitting<plan, unfit_values<plan, given_as::a_block, Given...>> {
    Stream& live = static_cast<Stream&>(*this);
    if constexpr (!fits<G>) return {};
    else return live.template take<true>(theta, values...), live.outputs();
  }
  template <class... Given>
      outputs_of<plan> run(const Given&... values) & requires
      Fitting<plan, unfit_call<G, T, plan, given_as::a_block, Given...>> {
    return run(*bound(static_cast<Stream&>(*this).theta_, "run(theta, ..)"), values...);
  }
  template <class... Given>
      tenon::detail::refused<tenon::detail::why<unfit_call<G, T, plan, given_as::a_block, Given...>>> run(
          const Given&...) &
      requires(!Fitting<plan, unfit_call<G, T, plan, given_as::a_block, Given...>>);
  // The same for a thread with a deadline: see step. Each value is a std::span of numbers with a static extent, steps x D, or
  // of several rows with one feature an array of such spans. try_run takes such ranges of any length, and tokens.
  template <class... Given>
      outputs_of<plan> run(const Given&... values) & TENON_NONBLOCKING
      requires(Fitting<plan, unfit_call<G, T, plan, given_as::a_block, Given...>>&&
                   CannotFail<plan, given_as::a_block, Given...>) {
    Stream& live = static_cast<Stream&>(*this);
    realtime::take<given_as::a_block>(live, values...);
    return live.outputs();
  }
  template <class... Given>
      step_status try_run(const Given&... values) & TENON_NONBLOCKING requires
      MayBeTried<plan, given_as::a_block, Given...> {
    return realtime::try_steps<given_as::a_block>(static_cast<Stream&>(*this), values...);
  }
  template <class... Given>
      tenon::detail::refused<tenon::detail::why<unfit_trial<plan, given_as::a_block, Given...>>> try_run(
          const Given&...) &
      requires(!MayBeTried<plan, given_as::a_block, Given...>);
  TENON_CALL(TENON_BRACES_OF_VALUES, outputs_of<plan>)
  run(tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);
  template <class Given>
  TENON_CALL(TENON_BRACES_OF_VALUES, outputs_of<plan>)
  run(const volatile Given&, tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);
  template <class... Given>
  TENON_CALL(TENON_CONST_SESSION, outputs_of<plan>)
  run(const Given&...) const& TENON_SAID(TENON_CONST_SESSION);
  template <class... Given>
      TENON_CALL(TENON_OUTPUTS_OF_TEMPORARY, outputs_of<plan>)
      run(const Given&...) && TENON_SAID(TENON_OUTPUTS_OF_TEMPORARY);
};

}  // namespace tenon::inline v0_1::engine
