// Threads, and no numbers of the rule, for a trainer that has nothing to share between them.
// expect(g++): threads are given to a trainer that runs in one piece; add the option shards<N>: it cuts the batch into N parts
// expect(clang): threads are given to a trainer that runs in one piece; add the option shards<N>: it cuts the batch into N parts
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>>;
#else
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<2>>;
#endif
void use(parameters<model>& theta) { training(theta, threads{2}); }
