// A recurrence that starts from nothing.
// expect(g++): node \'y\': a recurrence without x needs at least one source; name its initial states, or sources that each step reads
// expect(clang): "node \'y\': a recurrence without x"
// expect(clang): "needs at least one source; name"
// expect(clang): "its initial states, or sources"
// expect(clang): "that each step reads"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct decay {
  static constexpr auto step(auto s) { return 0.5 * s; }
};
#ifdef MISTAKE
using steps_alone = node<"y", recurrent<decay, hidden<3>, steps<5>>>;
#else
using steps_alone = node<"y", recurrent<decay, hidden<3>, steps<5>>, "s">;
#endif
using model =
    graph<"model", input<"s", features<3>>, steps_alone, node<"z", linear<3>, "s">, output<"y">, output<"z">>;
static_assert(check<model>());
