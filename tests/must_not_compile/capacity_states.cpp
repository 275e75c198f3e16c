// More next states than a cell has.
// expect(g++): node \'y\': the cell\'s step must return at most 16 states, got 17; concat some of them into one
// expect(clang): "node \'y\': the cell\'s step must"
// expect(clang): "return at most 16 states, got 17;"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto y = tanh(W<>(x) + h);
#ifdef MISTAKE
    return next(y, y, y, y, y, y, y, y, y, y, y, y, y, y, y, y, y);
#else
    return next(y);
#endif
  }
};
using model =
    graph<"model", input<"x", features<8>, steps<5>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
