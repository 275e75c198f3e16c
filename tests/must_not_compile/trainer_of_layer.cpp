// A trainer of a layer.
// expect(g++): \'linear<4>\' is not a graph; write graph<\"name\", input<..>, node<..>, output<..>>
// expect(clang): "\'linear<4>\' is not a graph; write"
// expect(clang): "graph<\"name\", input<..>, node<..>,"
// expect(clang): "output<..>>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using trained = linear<4>;
#else
using trained = model;
#endif
void use(trainer<trained, losses::cross_entropy<"logits">, optimizers::adam>& train) { train.step(); }
