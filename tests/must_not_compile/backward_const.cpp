// Gradients that cannot be written to.
// expect(g++): the gradients are const, and written to; pass a block that is not const
// expect(clang): "the gradients are const, and"
// expect(clang): "written to; pass a block that is"
// expect(clang): "not const"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model>& gradients) {
#ifdef MISTAKE
  run.backward(gradients, theta);
#else
  run.backward(theta, gradients);
#endif
}
