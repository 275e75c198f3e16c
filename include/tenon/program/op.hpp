// op: the operations that a program consists of, and their properties.
#pragma once

namespace tenon::ir {

// clang-format off
enum class op : unsigned char {
  // structure and contraction: executed by their own patterns; turn: the steps of one axis as those of the other;
  // pair_dot, pair_sum: dot products and weighted sums of each step with each inner step, see lowering/lanes.hpp;
  // as_features: the steps of an axis side by side, from_features: the reverse; keep, earlier: what a stream has seen,
  // see lowering/history.hpp
  input, vector, constant, slice, concat, turn, contract, contract_transposed, gradient_outer, gradient_sum, row_sum,
  row_max, axis_sum, axis_max, axis_softmax, weighted_sum, pair_sum, as_features, shift, flip, pair_dot, to_lanes,
  from_features, keep, earlier,
  // elementwise: one primitive<> each, in this order
  copy, stop_gradient, negate, add, subtract, multiply, divide, maximum, minimum, select, greater, equal,
  exp, log, sqrt, abs, sign, sin, cos, sigmoid, tanh, relu, softplus, erf,
  count
};
// clang-format on

constexpr bool is_elementwise(op code) { return code >= op::copy; }

// The properties of an operation. Its derivative is in equation/reverse.hpp, or in its primitive<>.
struct op_traits {
  op code{};
  const char* spelling;       // how a diagnostic calls it
  bool over_axis = false;     // it works along an axis: a value at one position depends on other positions
  bool removes_axis = false;  // the result no longer has that axis
  bool owns_operand = false;  // its operand has its own memory, in which rows past the end can be cleared
  bool passes_on = false;     // the numbers are those of its operand, at other positions or sizes
  // The patterns that a backend must have for it; the elementwise ones are maps.
  const char* forward[2]{};
  const char* backward[2]{};
};
inline constexpr op_traits op_table[]{
    {.code = op::input, .spelling = "input"},
    {.code = op::vector, .spelling = "vector", .backward = {"gradient_sum"}},
    {.code = op::constant, .spelling = "constant"},
    {.code = op::slice, .spelling = "slice"},
    {.code = op::concat, .spelling = "concat"},
    {.code = op::turn, .spelling = "as_axis", .passes_on = true},
    {.code = op::contract,
     .spelling = "product",
     .forward = {"contract"},
     .backward = {"contract_transposed", "gradient_outer"}},
    {.code = op::contract_transposed, .spelling = "product"},
    {.code = op::gradient_outer, .spelling = "gradient"},
    {.code = op::gradient_sum, .spelling = "gradient"},
    {.code = op::row_sum, .spelling = "sum"},
    {.code = op::row_max, .spelling = "max"},
    {.code = op::axis_sum,
     .spelling = "sum",
     .over_axis = true,
     .removes_axis = true,
     .owns_operand = true,
     .forward = {"axis_sum"},
     .backward = {"map"}},
    {.code = op::axis_max,
     .spelling = "max",
     .over_axis = true,
     .removes_axis = true,
     .owns_operand = true,
     .forward = {"axis_max"},
     .backward = {"axis_sum"}},
    {.code = op::axis_softmax,
     .spelling = "softmax",
     .over_axis = true,
     .owns_operand = true,
     .forward = {"axis_softmax", "weighted_sum"},
     .backward = {"axis_sum", "map"}},
    {.code = op::weighted_sum, .spelling = "sum", .over_axis = true, .removes_axis = true},
    // Products and sums, if steps are not run together.
    {.code = op::pair_sum,
     .spelling = "sum",
     .over_axis = true,
     .removes_axis = true,
     .forward = {"map", "axis_sum"}},
    {.code = op::as_features,
     .spelling = "as_features",
     .over_axis = true,
     .removes_axis = true,
     .owns_operand = true},
    {.code = op::shift, .spelling = "shift", .over_axis = true, .passes_on = true, .forward = {"shift"}},
    {.code = op::flip, .spelling = "reversed", .over_axis = true, .passes_on = true, .forward = {"flip"}},
    {.code = op::pair_dot, .spelling = "dot", .forward = {"map"}, .backward = {"axis_sum"}},
    {.code = op::to_lanes, .spelling = "copy"},
    {.code = op::from_features, .spelling = "copy"},
    {.code = op::keep, .spelling = "history"},
    {.code = op::earlier, .spelling = "history"},
    {.code = op::copy, .spelling = "copy", .passes_on = true},
    {.code = op::stop_gradient, .spelling = "stop_gradient", .passes_on = true},
    {.code = op::negate, .spelling = "-"},
    {.code = op::add, .spelling = "+"},
    {.code = op::subtract, .spelling = "-"},
    {.code = op::multiply, .spelling = "*"},
    {.code = op::divide, .spelling = "/"},
    {.code = op::maximum, .spelling = "max"},
    {.code = op::minimum, .spelling = "min"},
    {.code = op::select, .spelling = "select"},
    {.code = op::greater, .spelling = "greater"},
    {.code = op::equal, .spelling = "equal"},
    {.code = op::exp, .spelling = "exp"},
    {.code = op::log, .spelling = "log"},
    {.code = op::sqrt, .spelling = "sqrt"},
    {.code = op::abs, .spelling = "abs"},
    {.code = op::sign, .spelling = "sign"},
    {.code = op::sin, .spelling = "sin"},
    {.code = op::cos, .spelling = "cos"},
    {.code = op::sigmoid, .spelling = "sigmoid"},
    {.code = op::tanh, .spelling = "tanh"},
    {.code = op::relu, .spelling = "relu"},
    {.code = op::softplus, .spelling = "softplus"},
    {.code = op::erf, .spelling = "erf"},
};
constexpr const op_traits& traits_of(op code) { return op_table[static_cast<int>(code)]; }

constexpr const char* spelling(op code) { return traits_of(code).spelling; }
constexpr bool is_over_axis(op code) { return traits_of(code).over_axis; }
constexpr bool is_axis_reduction(op code) { return traits_of(code).removes_axis; }

namespace detail {

// Alias: a value at other places. Leaf: a value that is given. Mapped: part of a map. Heavy: a kernel of its own.
constexpr bool is_alias(op code) { return code == op::slice || code == op::concat || code == op::turn; }
constexpr bool is_leaf(op code) { return code == op::input || code == op::constant || code == op::vector; }
constexpr bool is_mapped(op code) {
  return is_elementwise(code) || code == op::row_sum || code == op::row_max;
}
constexpr bool is_heavy(op code) { return !is_alias(code) && !is_leaf(code) && !is_mapped(code); }

}  // namespace detail

}  // namespace tenon::ir
