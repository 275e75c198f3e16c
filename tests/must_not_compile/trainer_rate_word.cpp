// Another library's word for a number of the update rule.
// expect(g++): update rule \'optimizers::adam\' has no \'rate\'; write {.learning_rate = ..}
// expect(clang): "update rule \'optimizers::adam\' has"
// expect(clang): "no \'rate\'; write {.learning_rate ="
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

void use(parameters<model>& theta) {
#ifdef MISTAKE
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta, {.rate = 1e-3});
#else
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta, {.learning_rate = 1e-3});
#endif
  train.step();
}
