// op: its spelling in errors, and which of them are elementwise.
#include "tenon/program/op.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace tenon::test {

using namespace tenon::ir;

static_assert(std::string_view(spelling(op::copy)) == "copy" && std::string_view(spelling(op::erf)) == "erf");
static_assert(std::string_view(spelling(op::tanh)) == "tanh" && std::string_view(spelling(op::add)) == "+");

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
