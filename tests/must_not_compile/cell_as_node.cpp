// A cell where a layer is needed.
// expect(g++): node \'y\': a cell is used where a layer is needed; run it over time: recurrent<cell, hidden<32>>
// expect(clang): "node \'y\': a cell is used where a"
// expect(clang): "layer is needed; run it over time:"
// expect(clang): "recurrent<cell, hidden<32>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = cells::gru;
#else
using layer = recurrent<cells::gru, hidden<4>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
