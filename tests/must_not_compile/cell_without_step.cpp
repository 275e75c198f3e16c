// A cell that derives from equations::symbols, and has no step.
// expect(g++): node \'y\': recurrent needs a cell, and \'own\' has no static step(auto x, auto h) that compiles; mend it: W, U, V and b are its letters, and a W of your own is ::W
// expect(clang): "node \'y\': recurrent needs a cell,"
// expect(clang): "and \'own\' has no static step(auto"
// expect(clang): "x, auto h) that compiles; mend it:"
// expect(clang): "W, U, V and b are its letters, and"
// expect(clang): "a W of your own is ::W"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct own : equations::symbols {
  static constexpr auto stop(auto x, auto h) { return tanh(W<>(x) + U<>(h)); }
};
#else
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) { return tanh(W<>(x) + U<>(h)); }
};
#endif
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
