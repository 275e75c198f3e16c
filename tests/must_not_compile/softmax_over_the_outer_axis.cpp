// The softmax of pairs along the axis of the first sequence.
// expect(g++): node \'y\': softmax<\"target\"> of what varies along \'source\', too from \'dot(...)\'; of such a value it goes along \'source\' alone: exchange the sources, or use sum
// expect(clang): "node \'y\': softmax<\"target\"> of"
// expect(clang): "what varies along \'source\', too"
// expect(clang): "from \'dot(...)\'; of such a value"
// expect(clang): "it goes along \'source\' alone:"
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
