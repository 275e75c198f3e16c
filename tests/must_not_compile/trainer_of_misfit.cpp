// A graph that does not fit, first met by a trainer.
// expect(g++): node \'logits\': linear expects 9 features, got 8 from \'x\'; write features<8>, or mend \'x\'
// expect(clang): "node \'logits\': linear expects 9"
// expect(clang): "features, got 8 from \'x\'; write"
// expect(clang): "features<8>, or mend \'x\'"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<4, features<9>>;
#else
using layer = linear<4, features<8>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"logits", layer, "x">, output<"logits">>;
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>& train) {
  train.step();
}
