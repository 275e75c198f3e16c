// A bias written as a matrix.
// expect(g++): node \'y\': \'b<\"h\">\' is a vector, and takes no value; leave out its argument, or multiply by a matrix: W<\"gate\">(x)
// expect(clang): "node \'y\': \'b<\"h\">\' is a vector,"
// expect(clang): "and takes no value; leave out its"
// expect(clang): "argument, or multiply by a matrix:"
// expect(clang): "W<\"gate\">(x)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
#ifdef MISTAKE
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"h">(x) + b<"h">(h));
  }
#else
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"h">(x) + U<"h">(h));
  }
#endif
};
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
