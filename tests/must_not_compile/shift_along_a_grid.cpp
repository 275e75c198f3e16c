// The place before, of an image.
// expect(g++): node \'y\': shift<\"grid\"> goes along a sequence, and this is a grid from \'x\'; put a node in front of it: unfold2d<3, 3> has the places around each
// expect(clang): "node \'y\': shift<\"grid\"> goes along"
// expect(clang): "a sequence, and this is a grid"
// expect(clang): "from \'x\'; put a node in front of"
// expect(clang): "it: unfold2d<3, 3> has the places"
// expect(clang): "around each"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct before {
  static constexpr auto at(auto x) { return ir::shift<1, "grid">(x); }
};

#ifdef MISTAKE
using layer = before;
#else
using layer = chain<unfold2d<1, 2, is_causal>, linear<4>>;
#endif
using model = graph<"model", input<"x", features<4>, grid<5, 6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
