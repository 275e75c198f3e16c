// An equation over steps of two sequences.
// expect(g++): node \'z\': the sources have different time axes from \'y\'; combine the sequences by attention
// expect(clang): "node \'z\': the sources have"
// expect(clang): "different time axes from \'y\';"
// expect(clang): "combine the sequences by attention"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
using bound = steps<6, "target">;
#else
using bound = steps<6>;
#endif
struct sum_of_two {
  static constexpr auto at(auto x, auto y) { return x + y; }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, input<"y", features<8>, bound>,
                    node<"z", sum_of_two, "x", "y">, output<"z">>;
static_assert(check<model>());
