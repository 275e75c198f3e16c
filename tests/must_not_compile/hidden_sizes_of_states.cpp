// A size for each of two states, where the cell has one.
// expect(g++): node \'y\': hidden<..> has one size, or one for each state of the cell: 1 size, got 2; recurrent<cell, hidden<32, 8>> for two states
// expect(clang): "node \'y\': hidden<..> has one size,"
// expect(clang): "or one for each state of the cell:"
// expect(clang): "1 size, got 2; recurrent<cell,"
// expect(clang): "hidden<32, 8>> for two states"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = recurrent<cells::gru, hidden<32, 8>>;
#else
using layer = recurrent<cells::gru, hidden<32>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
