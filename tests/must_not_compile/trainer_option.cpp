// A batch without rows in a trainer.
// expect(g++): batch<0> has no rows; write how many rows run at once, at most
// expect(clang): "batch<0> has no rows; write how"
// expect(clang): "many rows run at once, at most"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using rows = batch<0>;
#else
using rows = batch<32>;
#endif
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam, rows>& train) { train.step(); }
