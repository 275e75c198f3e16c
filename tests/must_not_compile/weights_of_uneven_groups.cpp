// Weights that do not share the features evenly.
// expect(g++): node \'y\': weighted_sum has 4 groups of features: 8 features, got 6 from \'slice(...)\'; give it a multiple of the groups, or another number of groups
// expect(clang): "node \'y\': weighted_sum has 4"
// expect(clang): "groups of features: 8 features,"
// expect(clang): "got 6 from \'slice(...)\'; give it a"
// expect(clang): "multiple of the groups, or another"
// expect(clang): "number of groups"
#include <tenon/tenon.hpp>

using namespace tenon;

struct heads {
  static constexpr auto at(auto x) {
    const auto others = as_axis<"other">(x);
#ifdef MISTAKE
    return weighted_sum<"other">(softmax<"other">(dot<4>(x, others)), slice<0, 6>(others));
#else
    return weighted_sum<"other">(softmax<"other">(dot<2>(x, others)), slice<0, 6>(others));
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", heads, "x">, output<"y">>;
static_assert(check<model>());
