// An update rule that computes no numbers for its update.
// expect(g++): update rule \'own\' lacks `std::array<double, n> constants(long step) const`; see struct sgd in tenon/train/optimizers/rule.hpp
// expect(clang): "update rule \'own\' lacks"
// expect(clang): "`std::array<double, n>"
// expect(clang): "constants(long step) const`; see"
// expect(clang): "tenon/train/optimizers/rule.hpp"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
struct own {
  double rate = 0.1;
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
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
