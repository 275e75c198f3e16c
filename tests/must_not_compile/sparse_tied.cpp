// A sparse table that is also the matrix of a layer, which has a gradient for all of its rows.
// expect(g++): \'embedded.weight\' is sparse, and \'logits\' has a gradient for all of its rows; leave out sparse, or the tie
// expect(clang): "\'embedded.weight\' is sparse, and"
// expect(clang): "its rows; leave out sparse, or the"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using table = embedding<100, 8, sparse>;
#else
using table = embedding<100, 8>;
#endif
using model =
    graph<"model", input<"word", token<100>>, node<"embedded", table, "word">,
          node<"logits", linear<100>, "embedded">, tied<"logits.weight", "embedded.weight">, output<"logits">>;
void use(parameters<model>& theta) { trainer<model, losses::cross_entropy<"logits">, optimizers::adagrad>(theta).step(); }
