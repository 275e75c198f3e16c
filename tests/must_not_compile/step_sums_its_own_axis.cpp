// A sum over the axis that the loop walks along, in its step.
// expect(g++): node \'y\': sum<\"target\">: no source has this axis from \'memory\'; the sources have the axis \'source\'
// expect(clang): "node \'y\': sum<\"target\">: no source"
// expect(clang): "has this axis from \'memory\'; the"
// expect(clang): "sources have the axis \'source\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell {
  static constexpr auto step(auto x, auto h, auto memory) {
#ifdef MISTAKE
    return tanh(x + h + sum<"target">(memory));
#else
    return tanh(x + h + sum<"source">(memory));
#endif
  }
};
using model = graph<"model", input<"x", features<4>, steps<6, "target">>,
                    input<"memory", features<4>, steps<5, "source">>,
                    node<"y", recurrent<cell, hidden<4>>, "x", "memory">, output<"y">>;
static_assert(check<model>());
