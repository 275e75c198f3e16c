// Gradients that cannot be written to, and an adjoint behind them.
// expect(g++): the gradients are const, and written to; pass a block that is not const
// expect(clang): "the gradients are const, and"
// expect(clang): "written to; pass a block that is"
// expect(clang): "not const"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model>& gradients,
         const view<float>& dy) {
#ifdef MISTAKE
  run.backward(theta, theta, dy);
  gradients.set_zero();
#else
  run.backward(theta, gradients, dy);
#endif
}
