// An expression of another rank than the input, in a call.
// expect(g++): input \'x\' takes 2 dimensions, got 3; give a tensor [batch, 8]
// expect(clang): "input \'x\' takes 2 dimensions, got"
// expect(clang): "3; give a tensor [batch, 8]"
#include <tenon/tenon.hpp>
#include <tenon/tensor/xtensor.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(inference<model>& run, const parameters<model>& theta, const xt::xtensor<double, 3>& x,
         const xt::xtensor<double, 2>& row) {
#ifdef MISTAKE
  run(theta, x * 2);
  static_cast<void>(row);
#else
  run(theta, row * 2);
  static_cast<void>(x);
#endif
}
