// A session of longer sequences than an equation has features for.
// expect(g++): node \'y\': the steps of \'time\' are features, and there are 6 steps, got 9; write the larger bound in the graph
// expect(clang): "node \'y\': the steps of \'time\' are"
// expect(clang): "features, and there are 6 steps,"
// expect(clang): "got 9; write the larger bound in"
// expect(clang): "the graph"
#include <tenon/tenon.hpp>

using namespace tenon;

struct matched {
  static constexpr auto at(auto x) { return as_features<"other">(dot(x, as_axis<"other">(x))); }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", matched, "x">, output<"y">>;
#ifdef MISTAKE
using session = inference<model, steps<9>>;
#else
using session = inference<model, steps<5>>;
#endif
session run;
