// Numbers without a shape as the adjoint of an output.
// expect(g++): the adjoint of output \'y\' is not a tensor; give a tensor [batch, 4]
// expect(clang): "the adjoint of output \'y\' is not a"
// expect(clang): "tensor; give a tensor [batch, 4]"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model>& gradients,
         const std::vector<float>& numbers) {
  const view<const float> dy(numbers.data(), {1, 4}, {4, 1});
#ifdef MISTAKE
  run.backward(theta, gradients, numbers);
  static_cast<void>(dy);
#else
  run.backward(theta, gradients, dy);
  static_cast<void>(numbers);
#endif
}
