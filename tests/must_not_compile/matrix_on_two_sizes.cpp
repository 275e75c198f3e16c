// One matrix on inputs of two sizes.
// expect(g++): node \'y\': a matrix is used with two input sizes: 8 features, got 4 from \'W<\"z\">\'; a symbol has one shape: give the second use a name of its own
// expect(clang): "node \'y\': a matrix is used with"
// expect(clang): "two input sizes: 8 features, got 4"
// expect(clang): "from \'W<\"z\">\'; a symbol has one"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = W<"z">(x);
    return next(tanh(z + W<"z">(h)));
  }
};
#else
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = W<"z">(x);
    return next(tanh(z + U<"z">(h)));
  }
};
#endif
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
