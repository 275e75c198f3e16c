// Inputs handed to forward, which takes the parameters alone.
// expect(g++): forward takes the parameters alone: 1 argument, got 2; give the inputs before it, by input<\"name\">(..)
// expect(clang): "forward takes the parameters"
// expect(clang): "alone: 1 argument, got 2; give the"
// expect(clang): "inputs before it, by"
// expect(clang): "input<\"name\">(..)"
#include <tenon/engine/session/session.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(differentiation<model>& run, const parameters<model>& theta, view<const float> x) {
#ifdef MISTAKE
  run.forward(theta, x);
#else
  run.input<"x">(x), run.forward(theta);
#endif
}
