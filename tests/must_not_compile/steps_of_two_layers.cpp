// A second layer above one whose cell takes no x.
// expect(g++): node \'y\': an upper layer reads the output of the layer below, and the cell takes no x; leave layers<n> out, or put a cell that takes x into another node
// expect(clang): "node \'y\': an upper layer reads the"
// expect(clang): "output of the layer below, and the"
// expect(clang): "cell takes no x; leave layers<n>"
// expect(clang): "out, or put a cell that takes x"
// expect(clang): "into another node"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

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
