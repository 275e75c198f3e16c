// Gradients of double in a session of float.
// expect(g++): the gradients are double, the session computes in float; write scalar_type<double>, or parameters<graph, float>
// expect(clang): "the gradients are double, the"
// expect(clang): "session computes in float; write"
// expect(clang): "scalar_type<double>, or"
// expect(clang): "parameters<graph, float>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model, double>& exact,
         parameters<model>& gradients) {
#ifdef MISTAKE
  run.backward(theta, exact);
  gradients.set_zero();
#else
  run.backward(theta, gradients);
  exact.set_zero();
#endif
}
