// The largest of as many features as nobody says.
// expect(g++): node \'y\': argmax needs a known size, got an open one from \'scores\'; write its rows down: W<\"gate\", rows>(x)
// expect(clang): "node \'y\': argmax needs a known"
// expect(clang): "size, got an open one from"
// expect(clang): "\'scores\'; write its rows down:"
// expect(clang): "W<\"gate\", rows>(x)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct choosing : equations::symbols {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return argmax(matrix<"scores">(x));
#else
    return argmax(matrix<"scores", 5>(x));
#endif
  }
};
using model = graph<"model", input<"x", features<3>>, node<"y", choosing, "x">, output<"y">>;
static_assert(check<model>());
