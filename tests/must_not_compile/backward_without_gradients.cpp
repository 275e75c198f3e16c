// A backward pass with nowhere to put the gradients.
// expect(g++): backward takes the parameters, then the gradients: 2 arguments, got 1; the gradients are a parameters<graph> of their own
// expect(clang): "backward takes the parameters,"
// expect(clang): "then the gradients: 2 arguments,"
// expect(clang): "got 1; the gradients are a"
// expect(clang): "parameters<graph> of their own"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model>& gradients) {
#ifdef MISTAKE
  run.backward(theta);
  gradients.set_zero();
#else
  run.backward(theta, gradients);
#endif
}
