// A function of each feature with two values.
// expect(g++): node \'y\': tanh takes 1 value, got 2; write one: tanh(a + b), tanh(concat(a, b))
// expect(clang): "node \'y\': tanh takes 1 value, got"
// expect(clang): "2; write one: tanh(a + b),"
// expect(clang): "tanh(concat(a, b))"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
#ifdef MISTAKE
    return tanh(W<"x">(x), U<"h">(h));
#else
    return tanh(W<"x">(x) + U<"h">(h));
#endif
  }
};
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
