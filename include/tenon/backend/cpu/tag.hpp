// The tag of the CPU backend: xsimd loops for float and double. Kernels that it does not overload are the
// reference's.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/backend/reference/tag.hpp"
#include "tenon/backend/trades.hpp"

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

struct cpu : reference {};

// tanh in float as a quotient of two polynomials, at most 6 units in the last place from the true value, and
// sigmoid computed from it, at most 2^-22 from the true value. Gates then need no exponential.
struct fast_math {};

// The CPU backend with accuracy traded for speed, as in on<backend::cpu_with<backend::fast_math>>.
template <class... Trades>
struct cpu_with : cpu, Trades... {};

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
