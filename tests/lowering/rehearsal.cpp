// The lowering of a long equation fits into its lists, or the message says which list is too short.
#include <tenon/lowering/rehearsal.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

namespace {

// y = tanh(tanh(.. x ..)), `Times` times: each step of its gradient takes a few instructions.
template <int Times>
struct chain {
  static constexpr int states = 0;
  static constexpr program value = [] {
    program p;
    p.inputs.add(3);
    p.code.add({.code = opcode::input, .size = 3});
    for (int k = 0; k < Times; ++k) p.code.add({.code = opcode::tanh, .a = short(k), .size = 3});
    p.outputs.add(Times);
    return p;
  }();
};
constexpr bool says(const problem& p, std::string_view rule) {
  return p.rule.view() == rule && p.fix.view() == "make two nodes of it: each has room of its own";
}

static_assert(is_surely_small(chain<39>::value) && !is_surely_small(chain<40>::value));
static_assert(!rehearse<chain<39>, true>() && !rehearse<chain<60>, true>() && !rehearse<chain<60>, false>());
// Its values fit, its gradient does not.
static_assert(!rehearse<chain<300>, false>());
static_assert(says(rehearse<chain<300>, true>(),
                   "the equation and its gradient have more than 512 instructions"));

// Pairs of steps become several instructions for each group.
constexpr bool counts_groups = [] {
  const auto of = [](opcode code, short groups) {
    program p = chain<19>::value;
    p.code.add({.code = code, .a = 19, .b = 19, .count = groups, .size = 1});
    return is_surely_small(p);
  };
  return of(opcode::pair_dot, 9) && !of(opcode::pair_dot, 10) && !of(opcode::pair_sum, 10) &&
         of(opcode::add, 10);
}();
static_assert(counts_groups);

}  // namespace

TEST_CASE("the remedy is the same whatever has no room") {
  CHECK(says(ir::detail::no_room("the equation is long"), "the equation is long"));
}
