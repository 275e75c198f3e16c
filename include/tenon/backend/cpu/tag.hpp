// The tag of the CPU backend: xsimd loops for float and double. What it does not overload runs as in the
// reference.
#pragma once

#include "tenon/backend/reference/tag.hpp"

namespace tenon::backend {

struct cpu : reference {};

// The CPU backend with something traded for speed: on<backend::cpu_with<backend::bfloat16_weights>>.
template <class Trade>
struct cpu_with : cpu {};

// Inference of one row at a time in float: the weights of a stage are stored as bfloat16, rounded to nearest
// even: half the bytes to read, a relative error of at most 2^-8 in each weight. All sums are in float.
struct bfloat16_weights {};

}  // namespace tenon::backend
