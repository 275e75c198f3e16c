// The places of an image from the last to the first.
// expect(g++): node \'y\': reversed<\"grid\"> goes along a sequence, and this is a grid from \'x\'; put a node in front of it: unfold2d<3, 3> has the places around each
// expect(clang): "node \'y\': reversed<\"grid\"> goes"
// expect(clang): "along a sequence, and this is a"
// expect(clang): "grid from \'x\'; put a node in front"
// expect(clang): "of it: unfold2d<3, 3> has the"
// expect(clang): "places around each"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct turned {
  static constexpr auto at(auto x) { return ir::reversed<"grid">(x); }
};

#ifdef MISTAKE
using layer = turned;
#else
using layer = chain<unfold2d<1, 2, is_causal>, linear<4>>;
#endif
using model = graph<"model", input<"x", features<4>, grid<5, 6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
