// What a matrix multiplies has a size that only its use tells.
// expect(g++): node \'y\': dropout before a matrix needs a known size, got an open one from \'W<\"inner\">\'; write its rows down: W<\"gate\", rows>(x)
// expect(clang): "node \'y\': dropout before a matrix"
// expect(clang): "needs a known size, got an open"
// expect(clang): "one from \'W<\"inner\">\'; write its"
// expect(clang): "rows down: W<\"gate\", rows>(x)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
constexpr int rows = 0;
#else
constexpr int rows = 5;
#endif
struct cell : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return tanh(U<>(h) + W<"outer">(W<"inner", rows>(x)));
  }
};
using layer = recurrent<cell, hidden<4>, variational_dropout<0.3>>;
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
