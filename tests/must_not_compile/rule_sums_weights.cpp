// An update rule that mixes weights: those of all parameters would flow into each.
// expect(g++): update rule \'descent\' is not elementwise: it has a sum; sum, mean, max, softmax, slices and learned symbols have no place in it
// expect(clang): "update rule \'descent\' is not"
// expect(clang): "elementwise: it has a sum; sum,"
// expect(clang): "mean, max, softmax, slices and"
// expect(clang): "learned symbols have no place in"
// expect(clang): "it"
#include <tenon/tenon.hpp>

using namespace tenon;

struct scale : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"w">; }
};
using model = graph<"model", input<"x", features<3>>, node<"scaled", scale, "x">, output<"scaled">>;

struct descent {
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) {
#ifdef MISTAKE
    return next(w - rate * g / sqrt(sum(g * g)));
#else
    return next(w - rate * sign(g));
#endif
  }
  std::array<double, 1> constants(long) const { return {0.1}; }
};

void train(parameters<model>& theta, const parameters<model>& gradients) {
  optimizer<descent, model> optimizer;
  optimizer.update(theta, gradients);
}
