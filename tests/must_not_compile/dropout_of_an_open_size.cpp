// Dropout of a product whose rows are not known where it stands.
// expect(g++): node \'y\': dropout<rate>(x) needs a known size, got an open one from \'W\'; write the rows down, W<\"gate\", rows>(x), or drop parts of a state or an input
// expect(clang): "node \'y\': dropout<rate>(x) needs a"
// expect(clang): "known size, got an open one from"
// expect(clang): "\'W\'; write the rows down,"
// expect(clang): "W<\"gate\", rows>(x), or drop parts"
// expect(clang): "of a state or an input"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell : equations::symbols {
  static constexpr auto step(auto x, auto h) {
#ifdef MISTAKE
    return tanh(dropout<0.5>(W<>(x)) + U<>(h));
#else
    return tanh(dropout<0.5>(W<"", 4>(x)) + U<>(h));
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<cell, hidden<4>>, "x">,
                    output<"y">>;
static_assert(check<model>());
