// Groups of what has no size yet.
// expect(g++): node \'y\': dot needs a known size, got an open one from \'W<\"q\">\'; write its rows down: W<\"gate\", rows>(x)
// expect(clang): "node \'y\': dot needs a known size,"
// expect(clang): "got an open one from \'W<\"q\">\';"
// expect(clang): "write its rows down: W<\"gate\","
// expect(clang): "rows>(x)"
#include <tenon/tenon.hpp>

using namespace tenon;

struct heads : equations::symbols {
  static constexpr auto at(auto x) {
    const auto others = as_axis<"other">(x);
#ifdef MISTAKE
    return weighted_sum<"other">(softmax<"other">(dot<4>(W<"q">(x), others)), others);
#else
    return weighted_sum<"other">(softmax<"other">(dot<4>(W<"q", 8>(x), others)), others);
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", heads, "x">, output<"y">>;
static_assert(check<model>());
