// A sequence meets itself under its own name.
// expect(g++): node \'y\': as_axis<\"time\"> needs a new name, got that of the sequence\'s axis from \'x\'; write another name
// expect(clang): "node \'y\': as_axis<\"time\"> needs a"
// expect(clang): "new name, got that of the"
// expect(clang): "sequence\'s axis from \'x\'; write"
// expect(clang): "another name"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

#ifdef MISTAKE
#  define OTHER "time"
#else
#  define OTHER "source"
#endif
struct meeting {
  static constexpr auto at(auto x) {
    const auto all = as_axis<OTHER>(x);
    return sum<OTHER>(softmax<OTHER>(dot(x, all)) * all);
  }
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", meeting, "x">, output<"y">>;
static_assert(check<model>());
