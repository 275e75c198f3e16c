// op: the table of operations, complete and in their order, and which of them are elementwise or along an axis.
#include "tenon/program/opcode.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <string_view>

namespace tenon::test {

using namespace tenon::ir;

static_assert(std::size(opcode_table) == static_cast<std::size_t>(opcode::count));
static_assert(std::string_view(spelling(opcode::copy)) == "copy" &&
              std::string_view(spelling(opcode::erf)) == "erf");
static_assert(std::string_view(spelling(opcode::tanh)) == "tanh" &&
              std::string_view(spelling(opcode::add)) == "+");

TEST_CASE("an operation's row is where its number says") {
  for (int k = 0; k < static_cast<int>(opcode::count); ++k) {
    const opcode_traits& row = opcode_table[k];
    CAPTURE(row.spelling);
    CHECK(row.code == static_cast<opcode>(k));
    CHECK(!std::string_view(row.spelling).empty());
    if (row.removes_axis || row.owns_operand) CHECK(row.over_axis);
    if (row.over_axis) CHECK_FALSE(is_elementwise(row.code));
    if (row.removes_axis) CHECK_FALSE(row.passes_on);
  }
}

TEST_CASE("what has kernels of its own is not elementwise") {
  for (opcode code : {opcode::input, opcode::vector, opcode::constant, opcode::slice, opcode::concat,
                      opcode::matmul, opcode::matmul_transposed, opcode::gradient_outer, opcode::gradient_sum,
                      opcode::row_sum, opcode::row_max, opcode::axis_sum}) {
    CAPTURE(spelling(code));
    CHECK_FALSE(is_elementwise(code));
  }
  for (opcode code : {opcode::copy, opcode::add, opcode::select, opcode::exp, opcode::erf})
    CHECK(is_elementwise(code));
}

}  // namespace tenon::test
