// A step that is given what has no steps.
// expect(g++): step takes 1 input, got 2; its inputs with steps are \'x\'
// expect(clang): "step takes 1 input, got 2; its"
// expect(clang): "inputs with steps are \'x\'"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<9>>, input<"h0", features<3>>, node<"y", gru<3>, "x", "h0">, output<"y">>;
void use(streaming<model>& live, const std::array<float, 2>& x, const std::array<float, 3>& h0) {
#ifdef MISTAKE
  live.step(x, h0);
#else
  set_input<"h0">(live, h0);
  live.step(x);
#endif
}
