// Gradients of another graph.
// expect(g++): these are the gradients of graph \'other\', the session runs graph \'model\'; pass parameters<graph>, of the same graph
// expect(clang): "these are the gradients of graph"
// expect(clang): "\'other\', the session runs graph"
// expect(clang): "\'model\'; pass parameters<graph>,"
// expect(clang): "of the same graph"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using other = graph<"other", input<"x", features<8>>, node<"logits", linear<5>, "x">, output<"logits">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<other>& spare,
         parameters<model>& gradients) {
#ifdef MISTAKE
  run.backward(theta, spare);
  gradients.set_zero();
#else
  run.backward(theta, gradients);
  spare.set_zero();
#endif
}
