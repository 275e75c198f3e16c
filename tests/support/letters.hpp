// The letters of equations at namespace scope, for equations that tests write as lambdas. What is derived from
// `equations::symbols` has them anyway.
#pragma once

#include <tenon/equation/language.hpp>

namespace tenon::test {

template <ir::text Gate = "", ir::size_argument Rows = ir::inferred>
inline constexpr auto W = equations::symbols::W<Gate, Rows>;
template <ir::text Gate = "", ir::size_argument Rows = ir::inferred>
inline constexpr auto U = equations::symbols::U<Gate, Rows>;
template <ir::text Gate = "">
inline constexpr auto b = equations::symbols::b<Gate>;
template <ir::text Name, ir::size_argument Rows = ir::inferred>
inline constexpr auto matrix = equations::symbols::matrix<Name, Rows>;
template <ir::text Name>
inline constexpr auto vector = equations::symbols::vector<Name>;

}  // namespace tenon::test
