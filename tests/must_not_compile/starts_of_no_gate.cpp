// A start for a gate that the cell does not have.
// expect(g++): node \'y\': starts[] has \'b_W\' of a gate \'forget\', and the equation has not; its gates of \'b_W\' are \'i\' \'f\' \'g\' \'o\'
// expect(clang): "gate \'forget\', and the equation"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
#  define GATE "forget"
#else
#  define GATE "f"
#endif
struct open_lstm : cells::lstm {
  static constexpr init::start starts[]{{"U", init::orthogonal()}, {"b_W", GATE, init::constant(1)}};
};
using layer = recurrent<open_lstm, hidden<4>, no_bias>;
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
