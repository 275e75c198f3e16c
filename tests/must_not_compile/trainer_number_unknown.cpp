// A number that the update rule does not have.
// expect: a trainer takes parameters, the numbers of its update rule by their names in the order of its struct, as in
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

void use(parameters<model>& theta) {
#ifdef MISTAKE
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta, {.betas = {0.9, 0.99}});
#else
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(
      theta, {.beta1 = 0.9, .beta2 = 0.99}, seed{1});
#endif
  train.step();
}
