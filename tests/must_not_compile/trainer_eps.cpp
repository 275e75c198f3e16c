// Another library's word for a number of the rule.
// expect(g++): update rule \'optimizers::adam\' has no \'eps\'; write {.epsilon = ..}
// expect(clang): "update rule \'optimizers::adam\' has"
// expect(clang): "no \'eps\'; write {.epsilon = ..}"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta, {.eps = 1e-3});
  train.step();
}
#else
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta, {.epsilon = 1e-3});
  train.step();
}
#endif
