// The primitives by their opcode: each is found under its own, with as many operands as its formula has.
#include <tenon/program/primitives.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace tenon;
using namespace tenon::ir;

namespace {

static_assert(arity(opcode::tanh) == 1 && arity(opcode::add) == 2 && arity(opcode::select) == 3 &&
              arity(opcode::matmul) == 0);
static_assert(cost(opcode::copy) == 0 && cost(opcode::add) < cost(opcode::divide) &&
              cost(opcode::divide) < cost(opcode::exp));

template <opcode Code>
constexpr bool is(primitive<Code>, opcode code) {
  return Code == code;
}
// How many operands the formula itself has.
template <class Primitive>
constexpr int operands = requires {
  Primitive::value(1.0);
}
? 1 : requires { Primitive::value(1.0, 1.0); }
? 2 : requires { Primitive::value(1.0, 1.0, 1.0); }
? 3 : 0;
constexpr int elementwise = static_cast<int>(opcode::copy), all = static_cast<int>(opcode::count);

}  // namespace

TEST_CASE("each elementwise code visits its own primitive, once, and others none") {
  for (int k = 0; k < all; ++k) {
    const opcode code = static_cast<opcode>(k);
    CAPTURE(spelling(code));
    int visits = 0, taken = 0, price = -1;
    bool is_its_own = true;
    visit_primitive(code, [&](auto p) {
      ++visits;
      taken = operands<decltype(p)>;
      price = p.cost;
      is_its_own = is_its_own && is(p, code);
    });
    CHECK(visits == (k >= elementwise ? 1 : 0));
    CHECK(is_its_own);
    CHECK(arity(code) == taken);
    CHECK(cost(code) == (visits == 1 ? price : 0));
  }
}
