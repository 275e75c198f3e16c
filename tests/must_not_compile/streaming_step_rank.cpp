// A whole sequence where one step of it is taken.
// expect(g++): input \'x\' takes 2 dimensions, got 3; give a tensor [batch, 8]
// expect(clang): "input \'x\' takes 2 dimensions, got"
// expect(clang): "3; give a tensor [batch, 8]"
#include <tenon/tenon.hpp>
#include <tenon/tensor/xtensor.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(streaming<model>& live, const parameters<model>& theta, const xt::xtensor<float, 3>& x,
         const xt::xtensor<float, 2>& frame) {
#ifdef MISTAKE
  live.step(theta, x);
  static_cast<void>(frame);
#else
  live.step(theta, frame);
  static_cast<void>(x);
#endif
}
