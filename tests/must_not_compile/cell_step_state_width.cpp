// A state of another size than the cell has.
// expect(g++): node \'y\': a state expects 6 features, got 8 from \'x\'; a state is as wide as its layer: gru<width>, hidden<width>
// expect(clang): "node \'y\': a state expects 6"
// expect(clang): "features, got 8 from \'x\'; a state"
// expect(clang): "is as wide as its layer:"
// expect(clang): "gru<width>, hidden<width>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/cell_step.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using step = cell_step<cells::gru, hidden<6>>;
#else
using step = cell_step<cells::gru, hidden<8>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", step, "x", "x">, output<"y">>;
static_assert(check<model>());
