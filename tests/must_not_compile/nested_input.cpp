// A nested graph whose input expects another width.
// expect(g++): node \'first.row\': the input expects 8 features, got 5 from \'x\'; the nested graph\'s input and its source must agree
// expect(clang): "node \'first.row\': the input"
// expect(clang): "expects 8 features, got 5 from"
// expect(clang): "\'x\'; the nested graph\'s input and"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

using encoder = graph<"encoder", input<"row", features<8>>, node<"out", linear<3>, "row">, output<"out">>;
#ifdef MISTAKE
using width = features<5>;
#else
using width = features<8>;
#endif
using model = graph<"model", input<"x", width>, node<"first", encoder, "x">, output<"first">>;
static_assert(check<model>());
