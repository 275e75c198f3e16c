// op: the operations that a program consists of, by name.
#pragma once

namespace tenon::ir {

// clang-format off
enum class op : unsigned char {
  // structure and contraction: executed by their own patterns; turn: the steps of one axis as those of the other;
  // pair_dot, pair_sum: what each step has with each of the inner axis, see lowering/lanes.hpp; as_features: the steps of an
  // axis side by side, from_features: and back; keep, earlier: what a stream has seen, see lowering/history.hpp
  input, vector, constant, slice, concat, turn, contract, contract_transposed, gradient_outer, gradient_sum, row_sum,
  row_max, axis_sum, axis_max, axis_softmax, weighted_sum, pair_sum, as_features, shift, pair_dot, to_lanes,
  from_features, keep, earlier,
  // elementwise: one primitive<> each, in this order
  copy, stop_gradient, negate, add, subtract, multiply, divide, maximum, minimum, select, greater, equal,
  exp, log, sqrt, abs, sign, sin, cos, sigmoid, tanh, relu, softplus, erf,
  count
};
// clang-format on

constexpr bool is_elementwise(op code) { return code >= op::copy; }
// The value has no longer the axis that it is summed over, whose maximum is taken, or that has become features.
constexpr bool is_axis_reduction(op code) {
  return code == op::axis_sum || code == op::axis_max || code == op::weighted_sum || code == op::pair_sum ||
         code == op::as_features;
}
// Along an axis: what a value is at one position depends on all others.
constexpr bool is_over_axis(op code) {
  return is_axis_reduction(code) || code == op::axis_softmax || code == op::shift;
}

namespace detail {

// Other places of a value, values that are given, what goes into a map, and what is a kernel of its own.
constexpr bool is_alias(op code) { return code == op::slice || code == op::concat || code == op::turn; }
constexpr bool is_leaf(op code) { return code == op::input || code == op::constant || code == op::vector; }
constexpr bool is_mapped(op code) {
  return is_elementwise(code) || code == op::row_sum || code == op::row_max;
}
constexpr bool is_heavy(op code) { return !is_alias(code) && !is_leaf(code) && !is_mapped(code); }

}  // namespace detail

// How a diagnostic calls it.
constexpr const char* spelling(op code) {
  constexpr const char* names[]{
      "input",    "vector",        "constant", "slice",   "concat", "as_axis", "product",  "product",
      "gradient", "gradient",      "sum",      "max",     "sum",    "max",     "softmax",  "sum",
      "sum",      "as_features",   "shift",    "dot",     "copy",   "copy",    "history",  "history",
      "copy",     "stop_gradient", "-",        "+",       "-",      "*",       "/",        "max",
      "min",      "select",        "greater",  "equal",   "exp",    "log",     "sqrt",     "abs",
      "sign",     "sin",           "cos",      "sigmoid", "tanh",   "relu",    "softplus", "erf"};
  static_assert(sizeof(names) / sizeof(*names) == static_cast<int>(op::count));
  return names[static_cast<int>(code)];
}

}  // namespace tenon::ir
