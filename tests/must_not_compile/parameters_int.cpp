// Parameters of whole numbers.
// expect(g++): parameters of int cannot be learned; write parameters<graph>, or parameters<graph, double>
// expect(clang): "parameters of int cannot be"
// expect(clang): "learned; write parameters<graph>,"
// expect(clang): "or parameters<graph, double>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
using values = parameters<model, int>;
#else
using values = parameters<model, double>;
#endif
void use(values& theta) { theta.set_zero(); }
