// An update rule that takes the weight alone.
// expect(g++): update rule \'own\' lacks the gradient, behind the weight, among what `update` takes; see struct sgd in tenon/train/optimizers/rule.hpp
// expect(clang): "update rule \'own\' lacks the"
// expect(clang): "gradient, behind the weight, among"
// expect(clang): "what `update` takes; see struct"
// expect(clang): "tenon/train/optimizers/rule.hpp"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
struct own {
  double learning_rate = 0.1;

#ifdef MISTAKE
  static constexpr auto update(auto w) { return next(w); }
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
