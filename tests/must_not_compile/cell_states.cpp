// A cell that returns two states and takes one.
// expect(g++): node \'y\': the cell\'s step must return 1 state, got 2; return next(one value for each state that step takes)
// expect(clang): "node \'y\': the cell\'s step must"
// expect(clang): "return 1 state, got 2; return"
// expect(clang): "next(one value for each state that"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return next(h, tanh(W<>(x) + h));
  }
};
#else
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return next(tanh(W<>(x) + h));
  }
};
#endif
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
