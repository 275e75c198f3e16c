// Inputs handed to forward, which takes the parameters alone.
// expect(g++): forward takes the parameters only: 1 argument, got 2; give the inputs before it: set_input<\"name\">(session, value)
// expect(clang): "forward takes the parameters only:"
// expect(clang): "1 argument, got 2; give the inputs"
// expect(clang): "before it:"
// expect(clang): "set_input<\"name\">(session, value)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(differentiation<model>& run, const parameters<model>& theta, view<const float> x) {
#ifdef MISTAKE
  run.forward(theta, x);
#else
  set_input<"x">(run, x);
  run.forward(theta);
#endif
}
