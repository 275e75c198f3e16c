// An update rule that returns its new weight without next.
// expect(g++): update rule \'own\' does not return next(weight, states..); return next(w - rate * g), and let its parameters be `auto`
// expect(clang): "update rule \'own\' does not return"
// expect(clang): "next(weight, states..); return"
// expect(clang): "next(w - rate * g), and let its"
// expect(clang): "parameters be `auto`"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
struct own {
  double learning_rate = 0.1;

#ifdef MISTAKE
  static constexpr auto update(auto w, auto g, auto rate) { return w - rate * g; }
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
