// Half a step of a trainer.
// expect(g++): a trainer takes whole steps; write step(), or trainer.session().forward(theta)
// expect(clang): a trainer takes whole steps; write step(), or trainer.session().forward(theta)
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam>& train,
         const parameters<model>& theta) {
#ifdef MISTAKE
  train.forward(theta);
#else
  train.session().forward(theta);
#endif
}
