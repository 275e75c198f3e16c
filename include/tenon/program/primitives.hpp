// All primitives by their code: the one that a code names, how many operands it has, what it costs.
#pragma once

#include "tenon/program/primitive.hpp"

#include <utility>

namespace tenon::inline v0_1::ir {

// Calls f(primitive<code>{}) for the elementwise operation that `code` names at compile time of the constant
// evaluation.
template <class F>
constexpr void visit_primitive(opcode code, F f) {
  constexpr int first = static_cast<int>(opcode::copy), count = static_cast<int>(opcode::count) - first;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((static_cast<int>(code) == first + I ? f(primitive<static_cast<opcode>(first + I)>{}) : void()), ...);
  }
  (std::make_integer_sequence<int, count>{});
}

namespace detail {
struct primitive_facts {
  int arity[static_cast<int>(opcode::count)]{}, cost[static_cast<int>(opcode::count)]{};
};
inline constexpr primitive_facts traits_of_primitives = [] {
  constexpr int first = static_cast<int>(opcode::copy), count = static_cast<int>(opcode::count) - first;
  primitive_facts all;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (..., (all.arity[first + I] = primitive<static_cast<opcode>(first + I)>::arity,
           all.cost[first + I] = primitive<static_cast<opcode>(first + I)>::cost));
  }
  (std::make_integer_sequence<int, count>{});
  return all;
}();
}  // namespace detail

constexpr int arity(opcode code) { return detail::traits_of_primitives.arity[static_cast<int>(code)]; }
// What one element costs, in additions: decides between saving a value for the backward pass and computing it
// again.
constexpr int cost(opcode code) { return detail::traits_of_primitives.cost[static_cast<int>(code)]; }

}  // namespace tenon::inline v0_1::ir
