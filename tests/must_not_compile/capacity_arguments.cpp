// A cell with more states than a node has sources.
// expect(g++): node \'y\': the step of \'own\' takes more than x and 15 values; concat some of its states into one
// expect(clang): "node \'y\': the step of \'own\' takes"
// expect(clang): "more than x and 15 values; concat"
// expect(clang): "some of its states into one"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct own {
  static constexpr auto step(auto x, auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h, auto i,
                             auto j, auto k, auto l, auto m, auto n, auto o, auto p) {
    return next(x * a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
};
#else
struct own {
  static constexpr auto step(auto x, auto a, auto b, auto c) { return next(x * a, b, c); }
};
#endif
using model =
    graph<"model", input<"x", features<4>, steps<5>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
