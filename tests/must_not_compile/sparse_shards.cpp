// A sparse table, and a trainer that sums the whole gradients of its shards.
// expect(g++): shards<2> sum whole gradients, and a table is sparse; leave out shards<N>, or sparse
// expect(clang): "shards<2> sum whole gradients, and"
// expect(clang): "shards<N>, or sparse"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"word", token<100>>, node<"embedded", embedding<100, 8, sparse>, "word">,
                    node<"logits", linear<4>, "embedded">, output<"logits">>;
#ifdef MISTAKE
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adagrad, batch<4>, shards<2>>;
#else
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adagrad, batch<4>>;
#endif
void use(parameters<model>& theta) { training(theta).step(); }
