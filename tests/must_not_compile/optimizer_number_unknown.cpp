// A number that an update rule does not have, of an optimizer.
// expect(g++): as in optimizer<optimizers::adam, model> update({.learning_rate = 1e-3}), and no others
// expect(clang): as in optimizer<optimizers::adam, model> update({.learning_rate = 1e-3}), and no others
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
optimizer<optimizers::adam, model> update({.lr = 1e-3});
#else
optimizer<optimizers::adam, model> update({.learning_rate = 1e-3});
#endif
