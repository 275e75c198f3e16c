// A path before the parameters.
// expect(g++): save takes parameters and a path, as in save(theta
// expect(clang): save takes parameters and a path, as in save(theta
#include <tenon/tenon.hpp>
#include <tenon/io.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(parameters<model>& theta) {
#ifdef MISTAKE
  io::save("model.safetensors", theta, {.metadata = {}});
#else
  save(theta, "model.safetensors", {.metadata = {}});
#endif
}
