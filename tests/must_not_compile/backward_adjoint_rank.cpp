// An adjoint whose type has another rank than the output.
// expect(g++): the adjoint of output \'y\' takes 2 dimensions, got 3; give a tensor [batch, 4]
// expect(clang): "the adjoint of output \'y\' takes 2"
// expect(clang): "dimensions, got 3; give a tensor"
// expect(clang): "[batch, 4]"
#include <tenon/tenon.hpp>
#include <tenon/tensor/xtensor.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model>& gradients,
         const xt::xtensor<float, 2>& dy, const xt::xtensor<float, 3>& sequences) {
#ifdef MISTAKE
  run.backward(theta, gradients, sequences);
  static_cast<void>(dy);
#else
  run.backward(theta, gradients, dy);
  static_cast<void>(sequences);
#endif
}
