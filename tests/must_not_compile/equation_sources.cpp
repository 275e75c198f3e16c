// An equation of two arguments with one source.
// expect(g++): node \'y\': the equation takes 2 sources, got 1; list one source for each argument of at()
// expect(clang): "node \'y\': the equation takes 2"
// expect(clang): "sources, got 1; list one source"
// expect(clang): "for each argument of at()"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct sum_of_two {
  static constexpr auto at(auto x, auto y) { return x + y; }
};
#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", sum_of_two, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"y", sum_of_two, "x", "x">, output<"y">>;
#endif
static_assert(check<model>());
