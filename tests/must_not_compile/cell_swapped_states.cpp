// A cell that returns its next states in another order than step takes them.
// expect(g++): node \'y\': the cell\'s next state 0 must have 16 features, got 8 from \'state 1\'; return next(..) in the order in which step takes its states
// expect(clang): "node \'y\': the cell\'s next state 0"
// expect(clang): "must have 16 features, got 8 from"
// expect(clang): "\'state 1\'; return next(..) in the"
// expect(clang): "order in which step takes its"
// expect(clang): "states"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own {
  static constexpr auto step(auto x, auto h, auto c) {
#ifdef MISTAKE
    return next(c + sum(x), tanh(h));
#else
    return next(tanh(h), c + sum(x));
#endif
  }
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", recurrent<own, hidden<16, 8>>, "x">,
                    output<"y">>;
static_assert(check<model>());
