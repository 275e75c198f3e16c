// training_error: a training cannot continue. The message says at which step, and why.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

namespace tenon::inline v0_1 {

struct training_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace engine {
// "the loss is nan at step 3", and where it began.
[[noreturn]] inline void fail_not_finite(const char* what, double value, long step,
                                         const std::string& where) {
  const char* shown = value > 0 ? "inf" : "-inf";
  if (std::isnan(value)) shown = "nan";  // to_string would show its sign
  throw training_error(std::string(what) + " is " + shown + " at step " + std::to_string(step) + where);
}
}  // namespace engine

}  // namespace tenon::inline v0_1
