// Inputs handed to a training step.
// expect(g++): step takes 0 arguments, got 1; give the inputs and the target before it: set_input<\"name\">(trainer, value)
// expect(clang): "step takes 0 arguments, got 1;"
// expect(clang): "give the inputs and the target"
// expect(clang): "before it:"
// expect(clang): "set_input<\"name\">(trainer, value)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam>& train, view<const float> x) {
#ifdef MISTAKE
  train.step(x);
#else
  set_input<"x">(train, x);
  train.step();
#endif
}
