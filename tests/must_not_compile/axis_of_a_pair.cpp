// The axis of what has two.
// expect(g++): node \'y\': along(x) is the axis of x, and x has two from \'*(...)\'; name one: \"target\" or \"source\"
// expect(clang): "node \'y\': along(x) is the axis of"
// expect(clang): "x, and x has two from \'*(...)\';"
// expect(clang): "name one: \"target\" or \"source\""
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

struct meeting {
  static constexpr auto at(auto query, auto memory) {
    const auto pair = query * memory;
#ifdef MISTAKE
    return sum(pair, along(pair));
#else
    return sum(pair, along(memory));
#endif
  }
};
using model = graph<"model", input<"q", features<4>, steps<6, "target">>,
                    input<"m", features<4>, steps<5, "source">>, node<"y", meeting, "q", "m">, output<"y">>;
static_assert(check<model>());
