// A step with too many inputs.
// expect(g++): step takes 1 input, got 2; its inputs with steps are \'x\'
// expect(clang): "step takes 1 input, got 2; its"
// expect(clang): "inputs with steps are \'x\'"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">,
                    output<"states">>;

#ifdef MISTAKE
void use(streaming<model>& live, const parameters<model>& theta, view<const float> x) {
  live.step(theta, x, x);
}
#else
void use(streaming<model>& live, const parameters<model>& theta, view<const float> x) {
  live.step(theta, x);
}
#endif
