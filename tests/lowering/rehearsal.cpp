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

// Both have room, the programs and the forward kernels as well; but the backward map reads all values that were kept, and all vectors:
// x_0 = x, x_k = exp(x_{k-1}), y = the sum of v_k x_k.
struct weighed_exponentials {
  static constexpr int states = 0, exponentials = 92, vectors = 40;
  static constexpr program value = [] {
    program p;
    p.inputs.add(3);
    int x = p.code.add({.code = opcode::input, .size = 3}), sum = -1;
    for (int k = 0; k < exponentials; ++k) {
      x = p.code.add({.code = opcode::exp, .a = short(x), .size = 3});
      if (k >= vectors) continue;
      p.symbols.add({.letter = "v", .rows = 3});
      const int v = p.code.add({.code = opcode::vector, .first = k, .size = 3});
      const int part = p.code.add({.code = opcode::multiply, .a = short(x), .b = short(v), .size = 3});
      sum = sum < 0 ? part : p.code.add({.code = opcode::add, .a = short(sum), .b = short(part), .size = 3});
    }
    p.outputs.add(p.code.add({.code = opcode::add, .a = short(sum), .b = short(x), .size = 3}));
    return p;
  }();
};
static_assert(!rehearse<weighed_exponentials, false>());
static_assert(says(rehearse<weighed_exponentials, true>(),
                   "a part of the equation reads or writes more than 128 values at once"));

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
