// Parameters start by a plain number.
// expect(g++): initialize takes parameters, names and a start: initialize(theta, \"*.weight\", init::normal(0, 0.1)), then a seed
// expect(clang): error: initialize takes parameters, names and a start: initialize(theta, "*.weight", init::normal(0, 0.1)), then a seed
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(parameters<model>& theta) {
#ifdef MISTAKE
  initialize(theta, 0.1);
#else
  initialize(theta, "*", init::normal(0, 0.1));
#endif
}
