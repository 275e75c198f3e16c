// A share that is 0, since both of its numbers are whole.
// expect(g++): losses::label_smoothing<share> needs a share from 0 to below 1; write the share that all classes have: losses::label_smoothing<0.1>; 1/10 is the whole number 0
// expect(clang): "losses::label_smoothing<share>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using loss = losses::cross_entropy<"y", "target", losses::label_smoothing<1 / 10>>;
#else
using loss = losses::cross_entropy<"y", "target", losses::label_smoothing<1.0 / 10>>;
#endif
static_assert(check<model, loss>());
