// A flat range for a sequence, in a call.
// expect(g++): input \'x\': a flat range is given, it takes sequences; give a tensor [batch, time, 8], or vectors of std::array<float, 8>
// expect(clang): "input \'x\': a flat range is given,"
// expect(clang): "it takes sequences; give a tensor"
// expect(clang): "[batch, time, 8], or vectors of"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(inference<model>& run, const parameters<model>& theta, const std::vector<float>& flat,
         view<const float> x) {
#ifdef MISTAKE
  run(theta, flat);
  static_cast<void>(x);
#else
  run(theta, x);
  static_cast<void>(flat);
#endif
}
