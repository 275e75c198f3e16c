// op: the table of operations, complete and in their order, and which of them are elementwise or along an axis.
#include "tenon/program/op.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <string_view>

namespace tenon::test {

using namespace tenon::ir;

static_assert(std::size(op_table) == static_cast<std::size_t>(op::count));
static_assert(std::string_view(spelling(op::copy)) == "copy" && std::string_view(spelling(op::erf)) == "erf");
static_assert(std::string_view(spelling(op::tanh)) == "tanh" && std::string_view(spelling(op::add)) == "+");

TEST_CASE("an operation's row is where its number says") {
  for (int k = 0; k < static_cast<int>(op::count); ++k) {
    const op_traits& row = op_table[k];
    CAPTURE(row.spelling);
    CHECK(row.code == static_cast<op>(k));
    CHECK(!std::string_view(row.spelling).empty());
    if (row.removes_axis || row.owns_operand) CHECK(row.over_axis);
    if (row.over_axis) CHECK_FALSE(is_elementwise(row.code));
    if (row.removes_axis) CHECK_FALSE(row.passes_on);
  }
}

TEST_CASE("what has patterns of its own is not elementwise") {
  for (op code :
       {op::input, op::vector, op::constant, op::slice, op::concat, op::contract, op::contract_transposed,
        op::gradient_outer, op::gradient_sum, op::row_sum, op::row_max, op::axis_sum}) {
    CAPTURE(spelling(code));
    CHECK_FALSE(is_elementwise(code));
  }
  for (op code : {op::copy, op::add, op::select, op::exp, op::erf}) CHECK(is_elementwise(code));
}

}  // namespace tenon::test
