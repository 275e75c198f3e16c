// An option of a session where the objective stands.
// expect(g++): \'batch<4>\' is not an objective; write a loss such as losses::cross_entropy<\"logits\">, or void, then the options
// expect(clang): "\'batch<4>\' is not an objective;"
// expect(clang): "write a loss such as"
// expect(clang): "losses::cross_entropy<\"logits\">,"
// expect(clang): "or void, then the options"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
using session = differentiation<model, batch<4>>;
#else
using session = differentiation<model, void, batch<4>>;
#endif
void use(session& run, const parameters<model>& theta) { run.forward(theta); }
