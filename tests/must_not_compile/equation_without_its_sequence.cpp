// An equation over a row and a sequence that reads the row alone.
// expect(g++): node \'y\': what comes out is the same at every step: the equation does not read the sequence from \'states\'; use its values, or give the equation sources without a time axis alone
// expect(clang): "node \'y\': what comes out is the"
// expect(clang): "same at every step: the equation"
// expect(clang): "does not read the sequence from"
// expect(clang): "\'states\'; use its values, or give"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

struct gated {
#ifdef MISTAKE
  static constexpr auto at(auto gate, auto) { return sigmoid(gate); }
#else
  static constexpr auto at(auto gate, auto h) { return sigmoid(gate) * h; }
#endif
};
using model = graph<"model", input<"x", features<8>>, input<"states", features<8>, steps<6>>,
                    node<"y", gated, "x", "states">, output<"y">>;
static_assert(check<model>());
