// The largest of as many features as nobody says.
// expect(g++): node \'y\': argmax of what has an open size from \'scores\'; write its rows down: W<\"gate\", rows>(x)
// expect(clang): "node \'y\': argmax of what has an"
// expect(clang): "open size from \'scores\'; write its"
// expect(clang): "rows down: W<\"gate\", rows>(x)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

struct choosing {
  static constexpr auto at(auto x) {
    using namespace equations;
#ifdef MISTAKE
    return argmax(matrix<"scores">(x));
#else
    return argmax(matrix<"scores", 5>(x));
#endif
  }
};
using model = graph<"model", input<"x", features<3>>, node<"y", choosing, "x">, output<"y">>;
static_assert(check<model>());
