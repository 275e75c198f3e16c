// The tag of the CPU backend: xsimd loops for float and double. What it does not overload runs as in the
// reference.
#pragma once

#include "tenon/backend/cpu/instruction_set.hpp"
#include "tenon/backend/reference/tag.hpp"

#include <concepts>
#include <type_traits>

namespace tenon::backend::inline TENON_INSTRUCTION_SET {

struct cpu : reference {};

// Inference of one row at a time in float: the weights of a stage are stored as bfloat16, rounded to nearest
// even: half the bytes to read, a relative error of at most 2^-8 in each weight. All sums are in float.
struct bfloat16_weights {};

// tanh in float as a quotient of two polynomials, at most 6 units in the last place from the true value, and
// sigmoid from it, at most 2^-22 from the true value: no exponential is between a gate and its result.
struct fast_math {};

// The CPU backend with accuracy traded for speed, as in on<backend::cpu_with<backend::fast_math>>.
template <class... Trades>
struct cpu_with : cpu {};

template <class Backend, class Trade>
inline constexpr bool trades = false;
template <class Trade, class... Trades>
inline constexpr bool trades<cpu_with<Trades...>, Trade> = (std::is_same_v<Trade, Trades> || ...);

}  // namespace tenon::backend::inline TENON_INSTRUCTION_SET
