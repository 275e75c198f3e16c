// A trainer without its types: nothing can tell the loss from the parameters.
// expect(g++): a trainer\'s graph, loss and rule are its types; write trainer<model, losses::cross_entropy<\"logits\">, optimizers::adam>, with yours
// expect(clang): "a trainer\'s graph, loss and rule"
// expect(clang): "are its types; write"
// expect(clang): "losses::cross_entropy<\"logits\">,"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

void use(parameters<model>& theta) {
#ifdef MISTAKE
  trainer train(theta);
#else
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta);
#endif
  static_cast<void>(train.loss());
}
