// The axis before the number of steps.
// expect(g++): node \'y\': shift has its arguments in the other order; write shift<1, \"time\">(x)
// expect(clang): "node \'y\': shift has its arguments"
// expect(clang): "in the other order; write shift<1,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct own {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return x - shift<"time", 1>(x);
#else
    return x - shift<1, "time">(x);
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<4>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
