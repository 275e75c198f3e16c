// unfit_part: what is wrong with data or a metric for a session.
#pragma once

#include "tenon/diagnostics/problem.hpp"

namespace tenon::inline v0_1::engine {

// Checked where the part and the session meet. A part that can check it has a member
// `template <class Session> struct unfit` with `wrong`.
template <class Part, class Session>
struct unfit_part {
  static constexpr ir::problem wrong{};
};
template <class Part, class Session>
requires requires { Part::template unfit<Session>::wrong; }
struct unfit_part<Part, Session> {
  static constexpr ir::problem wrong = Part::template unfit<Session>::wrong;
};

}  // namespace tenon::inline v0_1::engine
