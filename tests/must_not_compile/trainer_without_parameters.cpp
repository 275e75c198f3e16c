// A trainer of no parameters.
// expect(g++): a trainer takes the parameters, then \'optimizers::adam\', then a seed; write train(theta), or train(theta, {.learning_rate = 1e-3}, seed{1})
// expect(clang): "a trainer takes the parameters,"
// expect(clang): "then \'optimizers::adam\', then a"
// expect(clang): "seed; write train(theta), or"
// expect(clang): "train(theta, {.learning_rate ="
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
void use([[maybe_unused]] parameters<model>& theta) {
#ifdef MISTAKE
  training train;
#else
  training train(theta);
#endif
  train.step();
}
