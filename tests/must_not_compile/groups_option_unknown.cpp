// An option that a group of parameters does not have: the word of another library.
// expect(g++): groups takes patterns of names, each with its options by their names in this order, as in groups({{\"*.bias\", {.weight_decay = 0}}}): .learning_rate, .rate_factor, .weight_decay, .frozen, .max_norm
// expect(clang): groups takes patterns of names, each with its options by their names in this order, as in
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam>& train) {
#ifdef MISTAKE
  train.groups({{"*.bias", {.lr = 1e-3}}});
#else
  train.groups({{"*.bias", {.learning_rate = 1e-3}}});
#endif
}
