// A token as if it were numbers.
// expect(g++): node \'y\': recurrent expects numbers, got tokens from \'x\'; put an embedding<vocabulary, width> before it
// expect(clang): "node \'y\': recurrent expects"
// expect(clang): "numbers, got tokens from \'x\'; put"
// expect(clang): "an embedding<vocabulary, width>"
// expect(clang): "before it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct counting : equations::symbols {
  static constexpr auto step(auto x, auto h) {
#ifdef MISTAKE
    return tanh(W<>(x) + U<>(h));
#else
    return tanh(W<>(one_hot<9>(x)) + U<>(h));
#endif
  }
};
using model = graph<"model", input<"x", token<9>, steps<4>>, node<"y", recurrent<counting, hidden<3>>, "x">,
                    output<"y">>;
static_assert(check<model>());
