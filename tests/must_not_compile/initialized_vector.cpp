// An initialiser of matrices for a vector.
// expect(g++): node \'y.bias\': Xavier\'s, Kaiming\'s, orthogonal and identity initialisers are of matrices, and this is a vector; start it by init::constant(0), init::uniform(-0.1, 0.1) or init::normal(0, 0.1)
// expect(clang): "initialisers are of matrices, and"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<4, initialized<"*", init::xavier_uniform()>>;
#else
using layer = linear<4, initialized<"weight", init::xavier_uniform()>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
