// A matrix on two values.
// expect(g++): node \'y\': \'W<\"h\">\' is a matrix, and takes 1 value, got 2; write W<\"gate\">(concat(x, h))
// expect(clang): "node \'y\': \'W<\"h\">\' is a matrix,"
// expect(clang): "and takes 1 value, got 2; write"
// expect(clang): "W<\"gate\">(concat(x, h))"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
#ifdef MISTAKE
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"h">(x, h));
  }
#else
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"h">(concat(x, h)));
  }
#endif
};
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
