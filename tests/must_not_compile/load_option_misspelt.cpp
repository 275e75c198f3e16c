// An option that load does not have.
// expect: its options are .rename, .only, .allow_missing, .allow_unexpected
#include <tenon/tenon.hpp>
#include <tenon/io.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(parameters<model>& theta) {
#ifdef MISTAKE
  load(theta, "model.safetensors", {.strict = false});
#else
  load(theta, "model.safetensors", {.allow_missing = true});
#endif
}
