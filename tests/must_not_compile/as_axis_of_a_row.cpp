// An axis of its own for what is no sequence.
// expect(g++): node \'y\': as_axis<\"source\"> needs one axis, got none from \'row\'; give it a sequence
// expect(clang): "node \'y\': as_axis<\"source\"> needs"
// expect(clang): "one axis, got none from \'row\';"
// expect(clang): "give it a sequence"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

struct meeting {
  static constexpr auto at(auto x, auto row) {
#ifdef MISTAKE
    const auto all = as_axis<"source">(row);
#else
    const auto all = as_axis<"source">(x);
#endif
    return x + row + sum<"source">(softmax<"source">(dot(x, all)) * all);
  }
};
using model = graph<"model", input<"x", features<4>, steps<6>>, input<"row", features<4>>,
                    node<"y", meeting, "x", "row">, output<"y">>;
static_assert(check<model>());
