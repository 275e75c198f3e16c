// One vector beside values of two sizes.
// expect(g++): node \'y\': a vector is used with two sizes: 8 features, got 4 from \'b\'; a symbol has one shape: give the second use a name of its own
// expect(clang): "node \'y\': a vector is used with"
// expect(clang): "two sizes: 8 features, got 4 from"
// expect(clang): "\'b\'; a symbol has one shape: give"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto first = x + b<>;
    return next(W<>(first) + h + b<>);
  }
};
#else
struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto first = x + b<"x">;
    return next(W<>(first) + h + b<>);
  }
};
#endif
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
