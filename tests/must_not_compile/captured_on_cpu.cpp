// Work is captured for a device.
// expect(g++): captured is for work on a device; write on<backend::cuda>, or leave it out
// expect(clang): "captured is for work on a
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>, captured>* train;
void use() { train->step(); }
#else
trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>* train;
void use() { train->step(); }
#endif
