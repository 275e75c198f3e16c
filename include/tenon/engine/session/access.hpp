// access: the part of a session that free functions, trainers and data use: inputs and outputs by the number of their
// edge, and the parts of a step. It hides these members from user programs.
#pragma once

#include "tenon/engine/session/session_base.hpp"

#include <concepts>
#include <cstddef>

namespace tenon::inline v0_1::engine {

template <class S>
concept HasSession = requires(S& s) {
  s.session();
};
// Works on a session, or on the session of a trainer.
struct access {
  template <class S>
  static auto& session_of(S& s) {
    if constexpr (HasSession<S>) return s.session();
    else return s;
  }
  template <int E, class S, class... Given>
  static void set_input(S& s, const Given&... values) {
    session_of(s).template give<E>(values...);
  }
  template <int E, class S>
  static void serve_any_rows(S& s) {
    session_of(s).inputs_.template serve_any_rows<E>();
  }
  template <int E, class S>
  static auto output(const S& s, layout order) {
    return session_of(s).template output<E>(order);
  }
  template <int E, class S>
  static backend::device_view<const typename S::plan::scalar> output_there(const S& s, layout order) {
    return session_of(s).template output_there<E>(order);
  }
  // Throws input_error if an input has not been given, or if they do not fit each other.
  template <class S>
  static void complete_inputs(S& s) {
    s.complete_inputs();
  }
  // Passes the tokens of the last run to touched.add(tokens by edge, steps by axis, rows).
  template <class S, class Touched>
  static void add_touched(const S& s, Touched& touched) {
    touched.add(s.inputs_.tokens(), s.inputs_.lengths().steps(),
                S::plan::batch);  // on a device: all rows are touched
  }
  // Calls f(first, end) for slices of so many numbers, on the threads of the session.
  template <class S, class F>
  static void each_slice(S& s, std::ptrdiff_t count, F f) {
    s.each_slice(count, f);
  }
  // A step on a device: sends the inputs and the numbers of the run; queues the forward and backward passes, or the
  // captured step as a whole; waits for the results of the forward pass.
  template <class S>
  static void begin_step(S& s) {
    complete_inputs(s);
    s.send_inputs();
  }
  template <class S, class Parameters>
  static void go_forward(S& s, const Parameters& theta) {
    s.pack(theta);
    s.multiply_tables();
    s.go_forward();
  }
  template <class S>
  static void ran_forward(S& s, bool copies_early) {
    s.ran_forward(copies_early);
  }
  template <class S>
  static void ran_backward(S& s) {
    s.ran_on_these_ = false;
  }
  template <class S>
  static auto* numbers(S& s) {
    return s.numbers();
  }
  template <class S>
  static auto fetch_numbers(S& s) {
    return s.fetch_numbers();
  }
  // Input E, as it was set last.
  template <int E, class S>
  static auto input(const S& s) {
    using plan = typename S::plan;
    constexpr ir::edge e = plan::net.edges[E];
    if constexpr (!e.is_token()) {
      return session_of(s).template input<E>();
    } else {
      const int* const tokens = session_of(s).template shown_tokens<E>();
      constexpr std::ptrdiff_t batch = plan::batch;
      if constexpr (e.axis < 0) return view<const int, 1>(tokens, {s.rows()}, {1});
      else if constexpr (e.is_grid())
        return view<const int, 3>(tokens, {s.rows(), e.grid.height, e.grid.width},
                                  {1, e.grid.width * batch, batch});
      else return view<const int, 2>(tokens, {s.rows(), session_of(s).template shown_steps<E>()}, {1, batch});
    }
  }
  // The length of a row along the axis of edge E; 1 if E has no axis.
  template <int E, class S>
  static int length(const S& s, int row) {
    constexpr int axis = S::plan::net.edges[E].axis;
    if constexpr (axis < 0) return 1;
    else return session_of(s).inputs_.lengths().of_axes()[axis][row];
  }
  // The token of input E that was set last.
  template <int E, class S>
  static int token(const S& s, int row, int step) {
    return session_of(s).template shown_tokens<E>()[step * S::plan::batch + row];
  }
  template <int E, class S>
  static auto input_gradient(const S& s) {
    return session_of(s).template input_gradient<E>();
  }
  template <int E, class S>
  static auto output_adjoint(S& s) {
    return s.template output_adjoint<E>();
  }
};

}  // namespace tenon::inline v0_1::engine
