// A communicator for a trainer that runs in one piece.
// expect(g++): behind threads, a trainer that runs in one piece takes nothing; for a communicator add the option shards<N>: each rank runs some of N parts of the batch
// expect(clang): behind threads, a trainer that runs in one piece takes nothing; for a communicator add the option shards<N>: each rank runs some of N parts of the batch
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>>;
#else
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<2>>;
#endif
void use(parameters<model>& theta) {
  distribute::alone world;
  training(theta, threads{2}, world);
}
