// States of two sizes in one sum, in a cell without x.
// expect(g++): node \'y\': elementwise operands differ: 4 features, got 3 from \'state 1\'; make both the same size, or one of size 1
// expect(clang): "node \'y\': elementwise operands"
// expect(clang): "differ: 4 features, got 3 from"
// expect(clang): "\'state 1\'; make both the same"
// expect(clang): "size, or one of size 1"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct added {
#ifdef MISTAKE
  static constexpr auto step(auto s, auto last) { return next(s + last, last); }
#else
  static constexpr auto step(auto s, auto last) { return next(s + sum(last), last); }
#endif
};
using model = graph<"model", input<"s", features<4>>, input<"first", features<3>>,
                    node<"y", recurrent<added, hidden<4, 3>, steps<5>>, "s", "first">, output<"y">>;
static_assert(check<model>());
