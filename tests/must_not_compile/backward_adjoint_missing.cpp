// A backward pass with the adjoint of one output, where there are two.
// expect(g++): behind the gradients backward takes the adjoint of each output: 2 adjoints, got 1; the outputs are \'h\', \'y\', in this order
// expect(clang): "behind the gradients backward"
// expect(clang): "takes the adjoint of each output:"
// expect(clang): "2 adjoints, got 1; the outputs are"
// expect(clang): "\'h\', \'y\', in this order"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"h", linear<4>, "x">, node<"y", linear<3>, "h">,
                    output<"h">, output<"y">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model>& gradients,
         const view<float>& dh, const view<float>& dy) {
#ifdef MISTAKE
  run.backward(theta, gradients, dy);
  static_cast<void>(dh);
#else
  run.backward(theta, gradients, dh, dy);
#endif
}
