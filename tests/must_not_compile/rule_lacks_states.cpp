// An update rule that does not say how many states it has.
// expect(g++): update rule \'own\' lacks `static constexpr int states`; see struct sgd in tenon/train/optimizers/rule.hpp
// expect(clang): "update rule \'own\' lacks `static"
// expect(clang): "constexpr int states`; see struct"
// expect(clang): "tenon/train/optimizers/rule.hpp"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
struct own {
  double rate = 0.1;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
  std::array<double, 1> constants(long) const { return {rate}; }
};
#else
struct own {
  double rate = 0.1;
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
  std::array<double, 1> constants(long) const { return {rate}; }
};
#endif
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"logits">, own> train(theta);
  train.step();
}
