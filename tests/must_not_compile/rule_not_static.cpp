// An update rule whose update is not static.
// expect(g++): update rule \'own\' lacks an update(w, g, states.., numbers..) that is public, static and compiles with `auto` parameters; see struct sgd in tenon/train/optimizers/rule.hpp
// expect(clang): "update rule \'own\' lacks an"
// expect(clang): "update(w, g, states.., numbers..)"
// expect(clang): "that is public, static and"
// expect(clang): "compiles with `auto` parameters;"
// expect(clang): "see struct sgd in"
// expect(clang): "tenon/train/optimizers/rule.hpp"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
struct own {
  double learning_rate = 0.1;

#ifdef MISTAKE
  constexpr auto update(auto w, auto g, auto rate) const { return next(w - rate * g); }
#else
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
#endif
  static constexpr int states = 0;
  std::array<double, 1> constants(long) const { return {learning_rate}; }
};
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"logits">, own> train(theta);
  train.step();
}
