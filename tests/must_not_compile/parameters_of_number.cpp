// A number where the seed stands.
// expect(g++): the argument is not a block of parameters; start one with a seed: parameters<graph> theta(seed{1}), or theta.initialize(seed{1})
// expect(clang): the argument is not a block of parameters; start one with a seed: parameters<graph> theta(seed{1}), or theta.initialize(seed{1})
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use() {
#ifdef MISTAKE
  const parameters<model> theta(1);
#else
  const parameters<model> theta(seed{1});
#endif
  theta.data();
}
