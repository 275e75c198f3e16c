// The place before, of an image that each step sees.
// expect(g++): node \'y\': shift<\"grid\"> goes along a sequence, and this is a grid from \'image\'; put a node in front of it: unfold2d<3, 3> has the places around each
// expect(clang): "node \'y\': shift<\"grid\"> goes along"
// expect(clang): "a sequence, and this is a grid"
// expect(clang): "from \'image\'; put a node in front"
// expect(clang): "of it: unfold2d<3, 3> has the"
// expect(clang): "places around each"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct seeing {
  static constexpr auto step(auto x, auto h, auto image) {
#ifdef MISTAKE
    return tanh(x + h + sum<"grid">(ir::shift<1, "grid">(image)));
#else
    return tanh(x + h + sum<"grid">(image));
#endif
  }
};
using model = graph<"model", input<"x", features<4>, steps<6>>, input<"image", features<4>, grid<3, 5>>,
                    node<"y", recurrent<seeing, hidden<4>>, "x", "image">, output<"y">>;
static_assert(check<model>());
