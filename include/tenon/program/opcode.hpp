// opcode: the operations that a program consists of, and their properties.
#pragma once

namespace tenon::inline v0_1::ir {

// clang-format off
enum class opcode : unsigned char {
  // structure and contraction: executed by their own kernels; turn: the steps of one axis as those of the other;
  // pair_dot, pair_sum: dot products and weighted sums of each step with each inner step, see lowering/lanes.hpp;
  // as_features: the steps of an axis side by side, from_features: the reverse; keep, earlier: what a stream has seen,
  // see lowering/history.hpp
  input, vector, constant, slice, concat, turn, matmul, matmul_transposed, gradient_outer, gradient_sum, row_sum,
  row_max, axis_sum, axis_max, axis_softmax, weighted_sum, pair_sum, as_features, shift, flip, pair_dot, to_lanes,
  from_features, keep, earlier,
  // elementwise: one primitive<> each, in this order
  copy, stop_gradient, negate, add, subtract, multiply, divide, maximum, minimum, select, greater, equal,
  exp, log, sqrt, abs, sign, sin, cos, sigmoid, tanh, relu, softplus, erf,
  count
};
// clang-format on

constexpr bool is_elementwise(opcode code) { return code >= opcode::copy; }

// The properties of an operation. Its derivative is in equation/reverse.hpp, or in its primitive<>.
struct opcode_traits {
  opcode code{};
  const char* spelling;       // how a diagnostic calls it
  bool over_axis = false;     // it works along an axis: a value at one position depends on other positions
  bool removes_axis = false;  // the result no longer has that axis
  bool owns_operand = false;  // its operand has its own memory, in which rows past the end can be cleared
  bool passes_on = false;     // the numbers are those of its operand, at other positions or sizes
  // The kernels that a backend must have for it; the elementwise ones are maps.
  const char* forward[2]{};
  const char* backward[2]{};
};
inline constexpr opcode_traits opcode_table[]{
    {.code = opcode::input, .spelling = "input"},
    {.code = opcode::vector, .spelling = "vector", .backward = {"gradient_sum"}},
    {.code = opcode::constant, .spelling = "constant"},
    {.code = opcode::slice, .spelling = "slice"},
    {.code = opcode::concat, .spelling = "concat"},
    {.code = opcode::turn, .spelling = "as_axis", .passes_on = true},
    {.code = opcode::matmul,
     .spelling = "product",
     .forward = {"matmul"},
     .backward = {"matmul_transposed", "gradient_outer"}},
    {.code = opcode::matmul_transposed, .spelling = "product"},
    {.code = opcode::gradient_outer, .spelling = "gradient"},
    {.code = opcode::gradient_sum, .spelling = "gradient"},
    {.code = opcode::row_sum, .spelling = "sum"},
    {.code = opcode::row_max, .spelling = "max"},
    {.code = opcode::axis_sum,
     .spelling = "sum",
     .over_axis = true,
     .removes_axis = true,
     .owns_operand = true,
     .forward = {"axis_sum"},
     .backward = {"map"}},
    {.code = opcode::axis_max,
     .spelling = "max",
     .over_axis = true,
     .removes_axis = true,
     .owns_operand = true,
     .forward = {"axis_max"},
     .backward = {"axis_sum"}},
    {.code = opcode::axis_softmax,
     .spelling = "softmax",
     .over_axis = true,
     .owns_operand = true,
     .forward = {"axis_softmax", "weighted_sum"},
     .backward = {"axis_sum", "map"}},
    {.code = opcode::weighted_sum, .spelling = "sum", .over_axis = true, .removes_axis = true},
    // Products and sums, if steps are not run together.
    {.code = opcode::pair_sum,
     .spelling = "sum",
     .over_axis = true,
     .removes_axis = true,
     .forward = {"map", "axis_sum"}},
    {.code = opcode::as_features,
     .spelling = "as_features",
     .over_axis = true,
     .removes_axis = true,
     .owns_operand = true},
    {.code = opcode::shift, .spelling = "shift", .over_axis = true, .passes_on = true, .forward = {"shift"}},
    {.code = opcode::flip, .spelling = "reversed", .over_axis = true, .passes_on = true, .forward = {"flip"}},
    {.code = opcode::pair_dot, .spelling = "dot", .forward = {"map"}, .backward = {"axis_sum"}},
    {.code = opcode::to_lanes, .spelling = "copy"},
    {.code = opcode::from_features, .spelling = "copy"},
    {.code = opcode::keep, .spelling = "history"},
    {.code = opcode::earlier, .spelling = "history"},
    {.code = opcode::copy, .spelling = "copy", .passes_on = true},
    {.code = opcode::stop_gradient, .spelling = "stop_gradient", .passes_on = true},
    {.code = opcode::negate, .spelling = "-"},
    {.code = opcode::add, .spelling = "+"},
    {.code = opcode::subtract, .spelling = "-"},
    {.code = opcode::multiply, .spelling = "*"},
    {.code = opcode::divide, .spelling = "/"},
    {.code = opcode::maximum, .spelling = "max"},
    {.code = opcode::minimum, .spelling = "min"},
    {.code = opcode::select, .spelling = "select"},
    {.code = opcode::greater, .spelling = "greater"},
    {.code = opcode::equal, .spelling = "equal"},
    {.code = opcode::exp, .spelling = "exp"},
    {.code = opcode::log, .spelling = "log"},
    {.code = opcode::sqrt, .spelling = "sqrt"},
    {.code = opcode::abs, .spelling = "abs"},
    {.code = opcode::sign, .spelling = "sign"},
    {.code = opcode::sin, .spelling = "sin"},
    {.code = opcode::cos, .spelling = "cos"},
    {.code = opcode::sigmoid, .spelling = "sigmoid"},
    {.code = opcode::tanh, .spelling = "tanh"},
    {.code = opcode::relu, .spelling = "relu"},
    {.code = opcode::softplus, .spelling = "softplus"},
    {.code = opcode::erf, .spelling = "erf"},
};
constexpr const opcode_traits& traits_of(opcode code) { return opcode_table[static_cast<int>(code)]; }

constexpr const char* spelling(opcode code) { return traits_of(code).spelling; }
constexpr bool is_over_axis(opcode code) { return traits_of(code).over_axis; }
constexpr bool is_axis_reduction(opcode code) { return traits_of(code).removes_axis; }

namespace detail {

// Alias: a value at other places. Leaf: a value that is given. Mapped: part of a map. Heavy: a kernel of its own.
constexpr bool is_alias(opcode code) {
  return code == opcode::slice || code == opcode::concat || code == opcode::turn;
}
constexpr bool is_leaf(opcode code) {
  return code == opcode::input || code == opcode::constant || code == opcode::vector;
}
constexpr bool is_mapped(opcode code) {
  return is_elementwise(code) || code == opcode::row_sum || code == opcode::row_max;
}
constexpr bool is_heavy(opcode code) { return !is_alias(code) && !is_leaf(code) && !is_mapped(code); }

}  // namespace detail

}  // namespace tenon::inline v0_1::ir
