// Inputs handed to run, which takes the parameters alone.
// expect(g++): run takes the parameters alone: 1 argument, got 2; give the inputs before it, by input<\"name\">(..)
// expect(clang): "run takes the parameters alone: 1"
// expect(clang): "argument, got 2; give the inputs"
// expect(clang): "before it, by input<\"name\">(..)"
#include <tenon/engine/session/session.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(inference<model>& run, const parameters<model>& theta, view<const float> x) {
#ifdef MISTAKE
  run.run(theta, x);
#else
  run(theta, x);
#endif
}
