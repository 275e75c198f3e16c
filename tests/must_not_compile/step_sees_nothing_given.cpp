// A cell that looks at a memory, and is given none.
// expect(g++): node \'y\': the cell\'s step takes more than x and its states: it needs 2 sources, got 1; name a source for each argument after its states, or return next(one value for each state)
// expect(clang): "node \'y\': the cell\'s step takes"
// expect(clang): "more than x and its states: it"
// expect(clang): "needs 2 sources, got 1; name a"
// expect(clang): "source for each argument after its"
// expect(clang): "states, or return next(one value"
// expect(clang): "for each state)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell {
  static constexpr auto step(auto x, auto h, auto memory) { return tanh(x + h * sum(memory, along(memory))); }
};
#ifdef MISTAKE
using decoder = node<"y", recurrent<cell, hidden<4>>, "x">;
#else
using decoder = node<"y", recurrent<cell, hidden<4>>, "x", "x">;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, decoder, output<"y">>;
static_assert(check<model>());
