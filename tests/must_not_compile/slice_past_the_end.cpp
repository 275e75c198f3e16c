// A slice that reaches past the end.
// expect(g++): node \'y\': a slice reaches past the end: 9 features, got 8 from \'x\'; first + size is at most the value\'s size
// expect(clang): "node \'y\': a slice reaches past the"
// expect(clang): "end: 9 features, got 8 from \'x\';"
// expect(clang): "first + size is at most the"
// expect(clang): "value\'s size"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
struct own {
  static constexpr auto at(auto x) {
    return slice<6, 3>(x);
  }
};
#else
struct own {
  static constexpr auto at(auto x) {
    return slice<6, 2>(x);
  }
};
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
