// A rule that is nothing but its numbers.
// expect(g++): update rule \'own\' lacks a static update(w, g, states.., numbers..); see struct sgd in tenon/train/optimizers/rule.hpp
// expect(clang): "update rule \'own\' lacks a static"
// expect(clang): "update(w, g, states.., numbers..);"
// expect(clang): "see struct sgd in"
// expect(clang): "tenon/train/optimizers/rule.hpp"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
struct own {
  double learning_rate = 0.1;

#ifdef MISTAKE

#else
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
  std::array<double, 1> constants(long) const { return {learning_rate}; }
#endif
};
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"logits">, own> train(theta);
  train.step();
}
