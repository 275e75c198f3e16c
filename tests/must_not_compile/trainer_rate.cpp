// The rate alone where the update rule stands.
// expect(g++): a trainer takes the parameters, then the numbers of its update rule, then a seed; write train(theta), or train(theta, {.learning_rate = 1e-3}, seed{1})
// expect(clang): a trainer takes the parameters, then the numbers of its update rule, then a seed; write train(theta), or train(theta, {.learning_rate = 1e-3}, seed{1})
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
void use(parameters<model>& theta) {
#ifdef MISTAKE
  training train(theta, 0.01);
#else
  training train(theta, {.learning_rate = 0.01});
#endif
  train.step();
}
