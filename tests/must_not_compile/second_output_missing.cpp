// A second output that the layer does not have.
// expect(g++): the output \'states.c_n\' is not an entry of the graph; did you mean \'states.h_n\'?
// expect(clang): "the output \'states.c_n\' is not an"
// expect(clang): "entry of the graph; did you mean"
// expect(clang): "\'states.h_n\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states.c_n">>;
#else
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", lstm<4>, "x">, output<"states.c_n">>;
#endif
static_assert(check<model>());
