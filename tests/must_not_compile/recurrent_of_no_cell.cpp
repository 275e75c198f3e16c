// A layer where a cell is needed.
// expect(g++): node \'y\': recurrent needs a cell; a cell is a struct with a static step(auto x, auto h)
// expect(clang): "node \'y\': recurrent needs a cell;"
// expect(clang): "a cell is a struct with a static"
// expect(clang): "step(auto x, auto h)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = recurrent<linear<4>, hidden<4>>;
#else
using layer = recurrent<gru_cell, hidden<4>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
