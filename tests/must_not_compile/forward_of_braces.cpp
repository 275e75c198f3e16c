// A forward that is given the numbers of an input, in braces.
// expect(g++): forward takes the parameters only; give the inputs before it: set_input<\"name\">(session, value)
// expect(clang): error: forward takes the parameters only; give the inputs before it: set_input<"name">(session, value)
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
auto use(differentiation<model, losses::mse<"y">>& run, const parameters<model>&) {
  return run.forward({1, 2, 3, 4});
}
#else
auto use(differentiation<model, losses::mse<"y">>& run, const parameters<model>& theta) {
  return run.forward(theta);
}
#endif
