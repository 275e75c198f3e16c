// A cell that forgets to return its next state.
// expect(g++): node \'y\': the cell\'s step must return 1 state, got 0; return next(one value for each state that step takes)
// expect(clang): "node \'y\': the cell\'s step must"
// expect(clang): "return 1 state, got 0; return"
// expect(clang): "next(one value for each state that"
// expect(clang): "step takes)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
#ifdef MISTAKE
  static constexpr void step(auto x, auto h) {
    tanh(W<>(x) + U<>(h));
  }
#else
  static constexpr auto step(auto x, auto h) {
    return tanh(W<>(x) + U<>(h));
  }
#endif
};
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
