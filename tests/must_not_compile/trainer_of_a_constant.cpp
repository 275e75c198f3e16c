// A trainer of parameters that it must not write to.
// expect(g++): a trainer writes to its parameters, and these are const or end with the line; pass a block that has a name and is not const
// expect(clang): a trainer writes to its parameters, and these are const or end with the line; pass a block that has a name and is not const
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use() {
#ifdef MISTAKE
  const parameters<model> theta(seed{1});
#else
  parameters<model> theta(seed{1});
#endif
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> train(theta);
  static_cast<void>(train);
}
