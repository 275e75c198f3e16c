// A one-hot of no feature.
// expect(g++): node \'y\': one_hot<size>(token) needs a positive size; one_hot<10>(token)
// expect(clang): "node \'y\': one_hot<size>(token)"
// expect(clang): "needs a positive size;"
// expect(clang): "one_hot<10>(token)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

#ifdef MISTAKE
constexpr int size = 0;
#else
constexpr int size = 6;
#endif
struct places : equations::symbols {
  static constexpr auto at(auto x) { return x + W<>(one_hot<size>(position_of(x, along(x)))); }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", places, "x">, output<"y">>;
static_assert(check<model>());
