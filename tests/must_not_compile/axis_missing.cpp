// A bound for a time axis that the graph lacks.
// expect(g++): the graph has no time axis \'source\' for an option to bound; inputs name their axis:
// expect(clang): "the graph has no time axis"
// expect(clang): "\'source\' for an option to bound;"
// expect(clang): "inputs name their axis:
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;

#ifdef MISTAKE
differentiation<model, void, steps<4, "source">> run;
#else
differentiation<model, void, steps<4>> run;
#endif
