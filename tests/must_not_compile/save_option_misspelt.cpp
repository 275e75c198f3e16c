// An option that save does not have.
// expect(g++): its options are .only, .metadata
// expect(clang): its options are .only, .metadata
#include <tenon/tenon.hpp>
#include <tenon/io.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(parameters<model>& theta) {
#ifdef MISTAKE
  save(theta, "model.safetensors", {.metdata = {}});
#else
  save(theta, "model.safetensors", {.metadata = {}});
#endif
}
