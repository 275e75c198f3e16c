// A cell whose letters are members of a struct that it does not derive from.
// expect(g++): node \'y\': \'W\' is a member of equations::symbols, and the struct does not derive from it; write struct name : equations::symbols
// expect(clang): "node \'y\': \'W\' is a member of"
// expect(clang): "equations::symbols, and the struct"
// expect(clang): "does not derive from it; write"
// expect(clang): "struct name : equations::symbols"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct own {
#else
struct own : equations::symbols {
#endif
  static constexpr auto step(auto x, auto h) {
    const auto z = sigmoid(W<"z">(x) + U<"z">(h));
    return next(z * tanh(W<>(x)) + (1 - z) * h);
  }
};
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
