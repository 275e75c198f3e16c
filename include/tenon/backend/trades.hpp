// What a backend may trade for speed. A backend makes a trade by deriving its tag from it: cpu_with<bfloat16_weights>.
#pragma once

#include <concepts>

namespace tenon::inline v0_1::backend {

// Inference in float: the weights that products read are stored as bfloat16, rounded to nearest even. That halves the bytes to read, with
// a relative error of at most 2^-8 in each weight. All sums are in float. On the CPU it applies to stages of one row at a time.
struct bfloat16_weights {};

// Inference in float on a CPU: the weights of products are stored in 8 bits, symmetric about 0, with a scale for each output: rounded to
// nearest even, by at most 1/254 of the output's largest weight. What they are multiplied with is rounded to 16 bits, with a scale for each
// row, and the sums are of whole numbers: results are the same on all processors, and for a row alone and in a batch. (Jacob et al. 2018,
// "Quantization and training of neural networks for efficient integer-arithmetic-only inference", with scales for rows.)
struct int8_weights {
  // A product of fewer weights, outputs * features, is hardly faster, or slower.
  static constexpr long pays_from = 8192;
};

template <class Backend, class Trade>
inline constexpr bool trades = std::derived_from<Backend, Trade>;

}  // namespace tenon::inline v0_1::backend
