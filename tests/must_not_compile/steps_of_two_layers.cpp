// A second layer above one whose cell takes no x.
// expect(g++): node \'y\': a layer above another reads what that emits, and the cell takes no x; leave layers<n> out, or write a cell that takes x for a node of its own
// expect(clang): "node \'y\': a layer above another"
// expect(clang): "reads what that emits, and the"
// expect(clang): "cell takes no x; leave layers<n>"
// expect(clang): "out, or write a cell that takes x"
// expect(clang): "for a node of its own"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using more = layers<2>;
#else
using more = layers<1>;
#endif
struct decay {
  static constexpr auto step(auto s) { return 0.5 * s; }
};
using model = graph<"model", input<"s", features<3>, more>,
                    node<"y", recurrent<decay, hidden<3>, steps<4>, more>, "s">, output<"y">>;
static_assert(check<model>());
