// An input names an axis as the windows below it will.
// expect(g++): node \'w\': the windows are called \'time/2\', and another axis is, too; put the input of that axis below this node, or name its axis otherwise
// expect(clang): "node \'w\': the windows are called"
// expect(clang): "\'time/2\', and another axis is,"
// expect(clang): "too; put the input of that axis"
// expect(clang): "below this node, or name its axis"
// expect(clang): "otherwise"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct both {
  static constexpr auto at(auto w, auto z) { return sum(w) + sum(z); }
};
using windows = node<"w", unfold<2, stride<2>>, "x">;
using halves = input<"z", features<3>, steps<3, "time/2">>;
#ifdef MISTAKE
using model = graph<"model", input<"x", features<4>, steps<6>>, halves, windows, node<"y", both, "w", "z">,
                    output<"y">>;
#else
using model = graph<"model", input<"x", features<4>, steps<6>>, windows, halves, node<"y", both, "w", "z">,
                    output<"y">>;
#endif
static_assert(check<model>());
