// Two memories, each with a time axis of its own.
// expect(g++): node \'y\': each step reads two sequences with different time axes from \'b\'; a step can read only one: put attention over the other after it
// expect(clang): "node \'y\': each step reads two"
// expect(clang): "sequences with different time axes"
// expect(clang): "from \'b\'; a step can read only"
// expect(clang): "one: put attention over the other"
// expect(clang): "after it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell {
  static constexpr auto step(auto x, auto h, auto a, auto b) {
    return tanh(x + h * sum(a, along(a)) + sum(b, along(b)));
  }
};
#ifdef MISTAKE
using second = input<"b", features<4>, steps<5, "other">>;
#else
using second = input<"b", features<4>, steps<5, "source">>;
#endif
using model =
    graph<"model", input<"x", features<4>, steps<6, "target">>, input<"a", features<4>, steps<5, "source">>,
          second, node<"y", recurrent<cell, hidden<4>>, "x", "a", "b">, output<"y">>;
static_assert(check<model>());
