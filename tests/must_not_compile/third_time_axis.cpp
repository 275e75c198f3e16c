// Sequences of three time axes in one equation.
// expect(g++): node \'y\': the sources have more than two time axes from \'c\'; reduce one of them in a node of its own
// expect(clang): "node \'y\': the sources have more"
// expect(clang): "than two time axes from \'c\';"
// expect(clang): "reduce one of them in a node of"
// expect(clang): "its own"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

struct meeting {
  static constexpr auto at(auto a, auto b, auto c) { return a + sum(a * b, along(b)) + sum(a * c, along(c)); }
};
#ifdef MISTAKE
using third = steps<6, "third">;
#else
using third = steps<6, "second">;
#endif
using model =
    graph<"model", input<"a", features<4>, steps<6, "first">>, input<"b", features<4>, steps<6, "second">>,
          input<"c", features<4>, third>, node<"y", meeting, "a", "b", "c">, output<"y">>;
static_assert(check<model>());
