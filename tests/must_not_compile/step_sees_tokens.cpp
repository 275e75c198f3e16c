// A cell whose memory is words.
// expect(g++): node \'y\': the cell\'s step expects numbers, got tokens from \'memory\'; put an embedding<vocabulary, width> before it
// expect(clang): "node \'y\': the cell\'s step expects"
// expect(clang): "numbers, got tokens from \'memory\';"
// expect(clang): "put an embedding<vocabulary,"
// expect(clang): "width> before it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct cell {
  static constexpr auto step(auto x, auto h, auto memory) { return tanh(x + h * sum(memory, along(memory))); }
};
#ifdef MISTAKE
using memory = input<"memory", token<9>, steps<5, "source">>;
#else
using memory = input<"memory", features<4>, steps<5, "source">>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6, "target">>, memory,
                    node<"y", recurrent<cell, hidden<4>>, "x", "memory">, output<"y">>;
static_assert(check<model>());
