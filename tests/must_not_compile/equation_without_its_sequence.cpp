// An equation over a row and a sequence that reads the row alone.
// expect(g++): node \'y\': the result is the same at every step: the equation does not use the sequence from \'states\'; use its values, or name only sources without a time axis
// expect(clang): "node \'y\': the result is the same"
// expect(clang): "at every step: the equation does"
// expect(clang): "not use the sequence from"
// expect(clang): "\'states\'; use its values, or name"
// expect(clang): "only sources without a time axis"
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
