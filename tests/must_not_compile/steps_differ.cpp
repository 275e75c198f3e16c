// Two inputs that give one time axis two lengths.
// expect(g++): node \'y\': inputs bound one time axis differently: 6 steps, got 7; use one bound, or name the axes: steps<12, \"source\">
// expect(clang): "node \'y\': inputs bound one time"
// expect(clang): "axis differently: 6 steps, got 7;"
// expect(clang): "use one bound, or name the axes:"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
using bound = steps<7>;
#else
using bound = steps<6>;
#endif
struct sum_of_two {
  static constexpr auto at(auto x, auto y) { return x + y; }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, input<"y", features<8>, bound>,
                    node<"z", sum_of_two, "x", "y">, output<"z">>;
static_assert(check<model>());
