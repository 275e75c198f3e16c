// A recurrence without x beside an input whose axis has the same name.
// expect(g++): node \'y\': a recurrence without x has its own time axis, and an input has the axis \'time\'; name its axis: steps<20, \"answer\">
// expect(clang): "node \'y\': a recurrence without x"
// expect(clang): "has its own time axis, and an"
// expect(clang): "input has the axis \'time\'; name"
// expect(clang): "its axis: steps<20, \"answer\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct decay {
  static constexpr auto step(auto s) { return 0.5 * s; }
};
#ifdef MISTAKE
using bound = steps<6>;
#else
using bound = steps<6, "answer">;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"read", gru<3>, "x">,
                    node<"y", recurrent<decay, hidden<3>, bound>, "read.final">, output<"y">>;
static_assert(check<model>());
