// A run that is given the numbers of an input, in braces.
// expect(g++): run takes the parameters only; give the inputs before it: set_input<\"name\">(session, value)
// expect(clang): error: run takes the parameters only; give the inputs before it: set_input<"name">(session, value)
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
void use(inference<model>& run) { run.run({1, 2, 3, 4}); }
#else
void use(inference<model>& run) { run.run(); }
#endif
