// A call without the parameters.
// expect(g++): the call takes 1 input, got 0; its inputs are \'x\'
// expect(clang): "the call takes 1 input, got 0; its"
// expect(clang): "inputs are \'x\'"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(inference<model>& run, const parameters<model>& theta, view<const float> x) {
#ifdef MISTAKE
  run();
  run(theta, x);
#else
  run(theta, x);
#endif
}
