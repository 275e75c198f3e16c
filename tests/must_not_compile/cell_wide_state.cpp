// A cell whose next state is wider than its state.
// expect(g++): node \'y\': the cell\'s next state must have 4 features, got 12 from \'concat(...)\'; a next state has the size of the state it replaces
// expect(clang): "node \'y\': the cell\'s next state"
// expect(clang): "must have 4 features, got 12 from"
// expect(clang): "\'concat(...)\'; a next state has"
// expect(clang): "the size of the state it replaces"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct own {
  static constexpr auto step(auto x, auto h) {
    return next(concat(x, h));
  }
};
#else
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return next(W<>(concat(x, h)));
  }
};
#endif
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
