// One of two initial states, and a memory.
// expect(g++): node \'y\': recurrent takes the sequence, all initial states or none, then the sources that its step reads: 4 sources, got 3; name an initial state for each state of the cell
// expect(clang): "node \'y\': recurrent takes the"
// expect(clang): "sequence, all initial states or"
// expect(clang): "none, then the sources that its"
// expect(clang): "step reads: 4 sources, got 3; name"
// expect(clang): "an initial state for each state of"
// expect(clang): "the cell"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell {
  static constexpr auto step(auto x, auto h, auto c, auto memory) {
    return next(tanh(x + h + sum(memory, along(memory))), c);
  }
};
#ifdef MISTAKE
using decoder = node<"y", recurrent<cell, hidden<4>>, "x", "h", "memory">;
#else
using decoder = node<"y", recurrent<cell, hidden<4>>, "x", "h", "h", "memory">;
#endif
using model = graph<"model", input<"x", features<4>, steps<6, "target">>, input<"h", features<4>, layers<1>>,
                    input<"memory", features<4>, steps<5, "source">>, decoder, output<"y">>;
static_assert(check<model>());
