// onnx_patterns: equations, and parts of them, that are one operator of ONNX. A pattern is an equation in the library's own language, traced
// for the sizes at hand; an equation of a network matches it if it computes the same of some of its values and symbols.
#pragma once

#include "tenon/graph/network.hpp"

#include <vector>

namespace tenon::inline v0_1::detail {

// The values and symbols of an equation that stand where a pattern has its inputs and its symbols; no inputs: it does not match.
struct onnx_match {
  std::vector<int> inputs{}, symbols{};
  explicit operator bool() const { return !inputs.empty(); }
};

// Value k of the equation as the first output of the pattern.
onnx_match match_onnx(const ir::program_view& p, int k, const ir::program& pattern);
// The whole equation: all outputs, and the inputs in their order.
onnx_match match_onnx(const ir::program_view& p, const ir::program& pattern);

namespace onnx {

// Value k as an operator over features.
struct operator_over_features {
  const char* type = nullptr;  // null: none
  onnx_match of{};             // of LayerNormalization: symbols weight, bias
};
operator_over_features over_features(const ir::program_view& p, int k, int opset);

// A recurrent operator. `gates`: the order of its gates, as numbers of the pattern's. Symbols of the match: for each gate W, then for each U,
// then for each b_W, then for each b_U, each in the pattern's order; without biases two groups.
struct recurrent_operator {
  const char *type = nullptr, *activation = nullptr;
  std::vector<int> gates{};
  bool has_biases = false;
  onnx_match of{};
};
recurrent_operator recurrence(const ir::program_view& p);

// Of `places` places side by side the largest or the mean, feature by feature.
enum class pool { none, largest, mean };
pool pool_over(const ir::program_view& p, int places, bool is_padded);

// W x + b, or W x.
bool is_affine(const ir::program_view& p);

}  // namespace onnx

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_patterns.ipp"
#endif
