// An option of a session for an optimizer.
// expect(g++): an optimizer has no option \'on\'; write the backend itself: optimizer<optimizers::adam, model, float, backend::cpu>
// expect(clang): "an optimizer has no option \'on\';"
// expect(clang): "write the backend itself:"
// expect(clang): "optimizer<optimizers::adam, model,"
// expect(clang): "float, backend::cpu>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

void use(parameters<model>& theta, const parameters<model>& gradients) {
#ifdef MISTAKE
  optimizer<optimizers::adam, model, float, on<backend::reference>> descent;
#else
  optimizer<optimizers::adam, model, float, backend::reference> descent;
#endif
  descent.update(theta, gradients);
}
