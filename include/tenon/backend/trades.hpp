// What a backend may trade for speed. A backend makes a trade by deriving its tag from it: cpu_with<bfloat16_weights>.
#pragma once

#include <concepts>

namespace tenon::backend {

// Inference in float: the weights that products read are stored as bfloat16, rounded to nearest even. That halves the bytes to read, with
// a relative error of at most 2^-8 in each weight. All sums are in float. On the CPU it applies to stages of one row at a time.
struct bfloat16_weights {};

template <class Backend, class Trade>
inline constexpr bool trades = std::derived_from<Backend, Trade>;

}  // namespace tenon::backend
