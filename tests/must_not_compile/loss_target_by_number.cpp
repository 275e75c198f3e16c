// A number where a loss has the name of its target.
// expect(g++): a loss has a number instead of the name of its target; write names first: losses::cross_entropy<\"y\", \"target\",
// expect(clang): "node \'loss\': a loss has a number"
// expect(clang): "instead of the name of its target;"
// expect(clang): "write names first:"
// expect(clang): "losses::cross_entropy<\"y\","
// expect(clang): "\"target\","
// expect(clang): "losses::label_smoothing<0.1>>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
using loss = losses::cross_entropy<"y", 0.1>;
#else
using loss = losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>>;
#endif
void use(trainer<model, loss, optimizers::adam>& train) { train.step(); }
