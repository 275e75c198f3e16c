// An optimizer with the graph where its rule stands.
// expect(g++): optimizer<rule, graph> begins with an update rule, and \'model\' is not one; write the rule first: optimizer<optimizers::adam, model>
// expect(clang): "optimizer<rule, graph> begins with"
// expect(clang): "an update rule, and \'model\' is not"
// expect(clang): "one; write the rule first:"
// expect(clang): "optimizer<optimizers::adam, model>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

void use(parameters<model>& theta, const parameters<model>& gradients) {
#ifdef MISTAKE
  optimizer<model, optimizers::adam> descent;
#else
  optimizer<optimizers::adam, model> descent;
#endif
  descent.update(theta, gradients);
}
