// input_error: what a session, a block of parameters or a schedule throws at run time.
#pragma once

#include <stdexcept>
#include <string>

namespace tenon {

// Something given at run time is wrong, or is asked for too early; the message names the thing, the place,
// expected and got.
struct input_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace tenon
