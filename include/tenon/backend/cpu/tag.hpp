// The tag of the CPU backend: xsimd loops for float and double. What it does not overload runs as in the
// reference.
#pragma once

#include "tenon/backend/reference/tag.hpp"

namespace tenon::backend {

struct cpu : reference {};

}  // namespace tenon::backend
