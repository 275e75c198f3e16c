// A state that has a row for each step of what the cell sees.
// expect(g++): node \'y\': a result of the step varies along \'source\' from \'tanh(...)\'; reduce it first: sum<\"source\">, or a weighted sum with a softmax
// expect(clang): "node \'y\': a result of the step"
// expect(clang): "varies along \'source\' from"
// expect(clang): "\'tanh(...)\'; reduce it first:"
// expect(clang): "sum<\"source\">, or a weighted sum"
// expect(clang): "with a softmax"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell : equations::symbols {
  static constexpr auto step(auto x, auto h, auto memory) {
    const auto all = U<>(h) * memory;
#ifdef MISTAKE
    return tanh(W<>(x) + all);
#else
    return tanh(W<>(x) + sum<"source">(all));
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<6, "target">>,
                    input<"memory", features<4>, steps<5, "source">>,
                    node<"y", recurrent<cell, hidden<4>>, "x", "memory">, output<"y">>;
static_assert(check<model>());
