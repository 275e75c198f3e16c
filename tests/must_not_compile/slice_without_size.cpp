// A part of the features that does not say how large it is.
// expect(g++): node \'y\': slice<3>(x) does not say how many features it takes; write where it starts, then its size: slice<0, 2>(x)
// expect(clang): "node \'y\': slice<3>(x) does not say"
// expect(clang): "how many features it takes; write"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct own {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return tanh(slice<3>(x));
#else
    return tanh(slice<3, 2>(x));
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
