// A third axis in one equation.
// expect(g++): node \'y\': as_axis<\"own\">: there are two axes, \'target\' and \'source\' from \'q\'; an equation can have one axis besides that of its first sequence: split it into two nodes
// expect(clang): "node \'y\': as_axis<\"own\">: there"
// expect(clang): "are two axes, \'target\' and"
// expect(clang): "\'source\' from \'q\'; an equation can"
// expect(clang): "have one axis besides that of its"
// expect(clang): "first sequence: split it into two"
// expect(clang): "nodes"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

struct meeting {
  static constexpr auto at(auto query, auto memory) {
#ifdef MISTAKE
    const auto all = as_axis<"own">(query);
    return sum<"own">(all * query) + sum<"source">(memory);
#else
    const auto all = as_axis<"own">(memory);
    return query + sum<"own">(all);
#endif
  }
};
using model = graph<"model", input<"q", features<4>, steps<6, "target">>,
                    input<"m", features<4>, steps<5, "source">>, node<"y", meeting, "q", "m">, output<"y">>;
static_assert(check<model>());
