// Another library's word for a number of the rule.
// expect(g++): update rule \'optimizers::adam\' has no \'lr\'; write {.learning_rate = ..}
// expect(clang): "update rule \'optimizers::adam\' has"
// expect(clang): "no \'lr\'; write {.learning_rate ="
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta, {.lr = 1e-3});
  train.step();
}
#else
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta, {.learning_rate = 1e-3});
  train.step();
}
#endif
