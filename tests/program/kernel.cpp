// The body of a map: one element, and several side by side.
#include "tenon/program/kernel.hpp"

#include <doctest/doctest.h>

namespace tenon::test {

using namespace tenon::ir;

// y = a b + 2, z = tanh(y)
struct body_of_two {
  static constexpr map_body body = [] {
    map_body b;
    b.code.add({.code = opcode::input, .first = 0, .size = 1});
    b.code.add({.code = opcode::input, .first = 1, .size = 1});
    b.code.add({.code = opcode::multiply, .a = 0, .b = 1, .size = 1});
    b.code.add({.code = opcode::constant, .size = 1, .number = 2});
    b.code.add({.code = opcode::add, .a = 2, .b = 3, .size = 1});
    b.code.add({.code = opcode::tanh, .a = 4, .size = 1});
    return b;
  }();
};
constexpr int size = body_of_two::body.code.size;

TEST_CASE("one element: every instruction in its place") {
  const double loaded[]{0.5, -3};
  double local[size];
  evaluate<body_of_two>(loaded, local);
  CHECK(local[2] == -1.5);
  CHECK(local[4] == 0.5);
  CHECK(local[5] == scalar::tanh(0.5));
}
TEST_CASE("several elements side by side are what each is alone") {
  const double loaded[3][2]{{0.5, -3}, {-1, 0.25}, {7, 0}};
  double local[3][size], alone[size];
  evaluate_together<body_of_two>(loaded, local);
  for (int i = 0; i < 3; ++i) {
    evaluate<body_of_two>(loaded[i], alone);
    for (int k = 0; k < size; ++k) CHECK(local[i][k] == alone[k]);
  }
  CHECK(local[1][4] == 1.75);
  CHECK(local[2][5] == scalar::tanh(2.0));
}

}  // namespace tenon::test
