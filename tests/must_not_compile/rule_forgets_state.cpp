// An update rule that does not return its new state.
// expect(g++): update rule \'descent\' returns its new weight and each new state: 2 values, got 1; return next(weight, states..)
// expect(clang): "update rule \'descent\' returns its"
// expect(clang): "new weight and each new state: 2"
// expect(clang): "values, got 1; return next(weight,"
// expect(clang): "states..)"
#include <tenon/tenon.hpp>

using namespace tenon;

struct scale : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"w">; }
};
using model = graph<"model", input<"x", features<3>>, node<"scaled", scale, "x">, output<"scaled">>;

struct descent {
  static constexpr int states = 1;
  static constexpr auto update(auto w, auto g, auto velocity, auto rate) {
#ifdef MISTAKE
    return next(w - rate * (velocity + g));
#else
    return next(w - rate * (velocity + g), velocity + g);
#endif
  }
  std::array<double, 1> constants(long) const { return {0.1}; }
};

void train(parameters<model>& theta, const parameters<model>& gradients) {
  optimizer<descent, model> optimizer;
  optimizer.update(theta, gradients);
}
