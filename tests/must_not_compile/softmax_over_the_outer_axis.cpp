// The softmax of pairs along the axis of the first sequence.
// expect(g++): node \'y\': softmax<\"target\"> needs a value without the axis \'source\', got one with it from \'dot(...)\'; here only \'source\' is possible: exchange the sources, or use sum
// expect(clang): "node \'y\': softmax<\"target\"> needs"
// expect(clang): "a value without the axis \'source\',"
// expect(clang): "got one with it from \'dot(...)\';"
// expect(clang): "here only \'source\' is possible:"
// expect(clang): "exchange the sources, or use sum"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

#ifdef MISTAKE
#  define AXIS "target"
#else
#  define AXIS "source"
#endif
struct meeting {
  static constexpr auto at(auto query, auto memory) {
    return sum<"source">(softmax<AXIS>(dot(query, memory)) * memory);
  }
};
using model = graph<"model", input<"q", features<4>, steps<6, "target">>,
                    input<"m", features<4>, steps<5, "source">>, node<"y", meeting, "q", "m">, output<"y">>;
static_assert(check<model>());
