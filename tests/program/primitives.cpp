// The primitives by their opcode: each is found under its own, with as many operands as its formula has.
#include <tenon/program/primitives.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace tenon;
using namespace tenon::ir;

namespace {

static_assert(arity(op::tanh) == 1 && arity(op::add) == 2 && arity(op::select) == 3 &&
              arity(op::contract) == 0);
static_assert(cost(op::copy) == 0 && cost(op::add) < cost(op::divide) && cost(op::divide) < cost(op::exp));

template <op Code>
constexpr bool is(primitive<Code>, op code) {
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
constexpr int elementwise = static_cast<int>(op::copy), all = static_cast<int>(op::count);

}  // namespace

TEST_CASE("each elementwise code visits its own primitive, once, and others none") {
  for (int k = 0; k < all; ++k) {
    const op code = static_cast<op>(k);
    CAPTURE(spelling(code));
    int visits = 0, taken = 0, price = -1;
    bool is_its_own = true;
    visit_primitive(code, [&](auto p) {
      ++visits, taken = operands<decltype(p)>, price = p.cost;
      is_its_own = is_its_own && is(p, code);
    });
    CHECK(visits == (k >= elementwise ? 1 : 0));
    CHECK(is_its_own);
    CHECK(arity(code) == taken);
    CHECK(cost(code) == (visits == 1 ? price : 0));
  }
}
