// A gradient scaled by counts of the whole batch, in a trainer that cuts it.
// expect(g++): node \'e\': scale_grad_by_freq counts the tokens of a whole batch, and shards<N> cut it; leave one of them out
// expect(clang): "batch, and shards<N> cut it; leave"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using table = embedding<9, 4, scale_grad_by_freq>;
#else
using table = embedding<9, 4>;
#endif
using model = graph<"model", input<"x", token<9>>, node<"e", table, "x">, node<"y", linear<2>, "e">, output<"y">>;
parameters<model> theta;
trainer<model, losses::cross_entropy<"y">, optimizers::sgd, batch<8>, shards<2>> learner(theta);
