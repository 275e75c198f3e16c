// The place before, of an image that each step sees.
// expect(g++): node \'y\': shift<\"grid\"> needs a sequence, got a grid from \'image\'; put unfold2d<3, 3> before it: that gives the neighbours of each place
// expect(clang): "node \'y\': shift<\"grid\"> needs a"
// expect(clang): "sequence, got a grid from \'image\';"
// expect(clang): "put unfold2d<3, 3> before it: that"
// expect(clang): "gives the neighbours of each place"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

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
