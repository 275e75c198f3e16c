// A recurrence of no steps.
// expect(g++): node \'y\': steps<n> of a recurrent layer needs a positive number of steps; recurrent<cell, hidden<32>, steps<20>>
// expect(clang): "node \'y\': steps<n> of a recurrent"
// expect(clang): "layer needs a positive number of"
// expect(clang): "steps; recurrent<cell, hidden<32>,"
// expect(clang): "steps<20>>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using bound = steps<0>;
#else
using bound = steps<4>;
#endif
struct decay {
  static constexpr auto step(auto s) { return 0.5 * s; }
};
using model =
    graph<"model", input<"s", features<3>>, node<"y", recurrent<decay, hidden<3>, bound>, "s">, output<"y">>;
static_assert(check<model>());
