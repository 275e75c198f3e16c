// A window of no step.
// expect(g++): node \'y\': window<steps, \"time\", dilation> needs at least 1 step, and a dilation of at least 1; window<3, \"time\">(x) are the step before, this one, and the next
// expect(clang): "node \'y\': window<steps, \"time\","
// expect(clang): "dilation> needs at least 1 step,"
// expect(clang): "and a dilation of at least 1;"
// expect(clang): "window<3, \"time\">(x) are the step"
// expect(clang): "before, this one, and the next"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct layer : equations::symbols {
#ifdef MISTAKE
  static constexpr auto at(auto x) { return W<"", 5>(window<0, "time">(x)); }
#else
  static constexpr auto at(auto x) { return W<"", 5>(window<2, "time">(x)); }
#endif
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
