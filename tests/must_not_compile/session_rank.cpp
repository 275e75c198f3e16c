// A tensor whose type has another rank than the input.
// expect(g++): input \'x\' takes 3 dimensions, got 2; give a tensor [batch, time, 8]
// expect(clang): "input \'x\' takes 3 dimensions, got"
// expect(clang): "2; give a tensor [batch, time, 8]"
#include <tenon/tenon.hpp>
#include <tenon/tensor/xtensor.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(inference<model>& run, const xt::xtensor<float, 2>& rows, const xt::xtensor<float, 3>& x) {
#ifdef MISTAKE
  set_input<"x">(run, rows);
  static_cast<void>(x);
#else
  set_input<"x">(run, x);
  static_cast<void>(rows);
#endif
}
