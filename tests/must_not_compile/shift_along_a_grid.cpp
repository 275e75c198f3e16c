// The place before, of an image.
// expect(g++): node \'y\': shift<\"grid\"> needs a sequence, got a grid from \'x\'; put unfold2d<3, 3> before it: that gives the neighbours of each place
// expect(clang): "node \'y\': shift<\"grid\"> needs a"
// expect(clang): "sequence, got a grid from \'x\'; put"
// expect(clang): "unfold2d<3, 3> before it: that"
// expect(clang): "gives the neighbours of each place"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

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
