// A step of a cell that is not given its state.
// expect(g++): node \'y\': cell_step takes 2 sources, got 1; name x, each state, and what the step sees
// expect(clang): "node \'y\': cell_step takes 2"
// expect(clang): "sources, got 1; name x, each"
// expect(clang): "state, and what the step sees"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/cell_step.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using step = node<"y", cell_step<cells::gru, hidden<8>>, "x">;
#else
using step = node<"y", cell_step<cells::gru, hidden<8>>, "x", "x">;
#endif
using model = graph<"model", input<"x", features<8>>, step, output<"y">>;
static_assert(check<model>());
