// The steps of an axis that is none.
// expect(g++): node \'y\': as_features<\"others\">: no source has this axis from \'dot(...)\'; the sources have the axes \'time\' and \'other\'
// expect(clang): "node \'y\': as_features<\"others\">:"
// expect(clang): "no source has this axis from"
// expect(clang): "\'dot(...)\'; the sources have the"
// expect(clang): "axes \'time\' and \'other\'"
#include <tenon/tenon.hpp>

using namespace tenon;

struct matched {
  static constexpr auto at(auto x) {
    const auto scores = dot(x, as_axis<"other">(x));
#ifdef MISTAKE
    return as_features<"others">(scores);
#else
    return as_features<"other">(scores);
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", matched, "x">, output<"y">>;
static_assert(check<model>());
