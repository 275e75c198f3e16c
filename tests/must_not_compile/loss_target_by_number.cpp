// A number where a loss has the name of its target.
// expect(g++): a loss has a number where the name of its target stands; write names first: losses::cross_entropy<\"y\", \"target\",
// expect(clang): a loss has a number"
// expect(clang): "where the name of its target"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
using loss = losses::cross_entropy<"y", 0.1>;
#else
using loss = losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>>;
#endif
void use(trainer<model, loss, optimizers::adam>& train) { train.step(); }
