// An update rule that asks for one number more than its constants() computes.
// expect(g++): update rule \'descent\' takes, behind its weight, gradient and states, 1 number, got 2; as many as `constants` computes
// expect(clang): "update rule \'descent\' takes,"
// expect(clang): "behind its weight, gradient and"
// expect(clang): "states, 1 number, got 2; as many"
// expect(clang): "as `constants` computes"
#include <tenon/tenon.hpp>

using namespace tenon;

struct scale : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"w">; }
};
using model = graph<"model", input<"x", features<3>>, node<"scaled", scale, "x">, output<"scaled">>;

struct descent {
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate, auto decay) { return next(w - rate * (g + decay * w)); }
#ifdef MISTAKE
  std::array<double, 1> constants(long) const { return {0.1}; }
#else
  std::array<double, 2> constants(long) const { return {0.1, 0.01}; }
#endif
};

void train(parameters<model>& theta, const parameters<model>& gradients) {
  optimizer<descent, model> optimizer;
  optimizer.update(theta, gradients);
}
