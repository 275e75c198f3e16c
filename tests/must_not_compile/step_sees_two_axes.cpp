// Two memories, each with a time axis of its own.
// expect(g++): node \'y\': two sequences that each step sees have different time axes from \'b\'; a step sees one: put attention over the other behind it
// expect(clang): "node \'y\': two sequences that each"
// expect(clang): "step sees have different time axes"
// expect(clang): "from \'b\'; a step sees one: put"
// expect(clang): "attention over the other behind it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;

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
