// Groups that the features do not fill.
// expect(g++): node \'y\': dot has 3 groups of features: 9 features, got 8 from \'x\'; give it a multiple of the groups, or another number of groups
// expect(clang): "node \'y\': dot has 3 groups of"
// expect(clang): "features: 9 features, got 8 from"
// expect(clang): "\'x\'; give it a multiple of the"
// expect(clang): "groups, or another number of"
// expect(clang): "groups"
#include <tenon/tenon.hpp>

using namespace tenon;

struct heads {
  static constexpr auto at(auto x) {
    const auto others = as_axis<"other">(x);
#ifdef MISTAKE
    return weighted_sum<"other">(softmax<"other">(dot<3>(x, others)), others);
#else
    return weighted_sum<"other">(softmax<"other">(dot<4>(x, others)), others);
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", heads, "x">, output<"y">>;
static_assert(check<model>());
