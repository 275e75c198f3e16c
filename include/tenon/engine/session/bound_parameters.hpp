// bound: the parameters that a session was constructed with. The type of a session does not say whether it has some: they may also be
// given at each call.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/graph/graph.hpp"

#include <string>

namespace tenon::inline v0_1::engine {

[[noreturn, gnu::noinline]] inline void refuse_unbound(ir::characters title, const char* call) {
  throw input_error("the session of graph '" + std::string(title) + "' has no parameters; write " + call +
                    ", or make the session with them, model(theta)");
}
// Throws input_error, which says how the call is written with parameters, if none are bound.
template <class Parameters>
const Parameters* bound(const Parameters* theta, const char* call) {
  if (theta == nullptr) refuse_unbound(ir::title_of<typename Parameters::graph_type>(), call);
  return theta;
}

}  // namespace tenon::inline v0_1::engine
