// Inputs handed to run, which takes the parameters alone.
// expect(g++): run takes the parameters only: 1 argument, got 2; give the inputs before it: set_input<\"name\">(session, value)
// expect(clang): "run takes the parameters only: 1"
// expect(clang): "argument, got 2; give the inputs"
// expect(clang): "before it:"
// expect(clang): "set_input<\"name\">(session, value)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(inference<model>& run, const parameters<model>& theta, view<const float> x) {
#ifdef MISTAKE
  run.run(theta, x);
#else
  run(theta, x);
#endif
}
