// bound: the parameters that a session was constructed with.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <string>

namespace tenon::engine {

[[noreturn, gnu::noinline]] inline void refuse_unbound(const char* call) {
  throw input_error(
      std::string(call) +
      ": no parameters are bound; give them first, or make the session with them: model(theta)");
}
// Throws input_error, which names the call, if no parameters are bound.
template <class Parameters>
const Parameters* bound(const Parameters* theta, const char* call) {
  if (theta == nullptr) refuse_unbound(call);
  return theta;
}

}  // namespace tenon::engine
