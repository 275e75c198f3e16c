// An adjoint, where a loss gives it.
// expect(g++): the loss gives the adjoints: backward takes the parameters, then the gradients: 2 arguments, got 3; write differentiation<graph, void>
// expect(clang): "the loss gives the adjoints:"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
using session = differentiation<model, losses::cross_entropy<"y">>;
#else
using session = differentiation<model>;
#endif
void use(session& run, const parameters<model>& theta, parameters<model>& gradients, const view<float>& dy) {
  run.backward(theta, gradients, dy);
}
