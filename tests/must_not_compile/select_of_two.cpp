// A choice without what stands where the condition does not hold.
// expect(g++): node \'y\': select takes 3 values, got 2; write select(condition, yes, no)
// expect(clang): "node \'y\': select takes 3 values,"
// expect(clang): "got 2; write select(condition,"
// expect(clang): "yes, no)"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct own {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return select(greater(x, 0), x);
#else
    return select(greater(x, 0), x, 0.1 * x);
#endif
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
