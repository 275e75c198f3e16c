// An option that copy_by_name does not have.
// expect(g++): io::copy_by_name(from, to, {.only = \"embedded.*\"}): .rename, .only, .allow_missing
// expect(clang): io::copy_by_name(from, to, {.only = "embedded.*"}): .rename, .only, .allow_missing
#include <tenon/tenon.hpp>
#include <tenon/parameters/copy_by_name.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(parameters<model>& from, parameters<model>& to) {
#ifdef MISTAKE
  io::copy_by_name(from, to, {.strict = false});
#else
  io::copy_by_name(from, to, {.allow_missing = true});
#endif
}
