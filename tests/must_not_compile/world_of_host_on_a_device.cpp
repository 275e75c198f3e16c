// A communicator of the program's memory for a trainer on a device.
// expect(g++): on a device a trainer with shards<N> takes a communicator that exchanges blocks of its memory; write train(theta, world), with a distribute::nccl world(ranks)
// expect(clang): on a device a trainer with shards<N> takes a communicator that exchanges blocks of its memory; write train(theta, world), with a distribute::nccl world(ranks)
#include <tenon/on_device.hpp>

#include <tenon/distribute/in_process.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<2>, on<backend::thrust_device>>;
#ifdef MISTAKE
using ranks = distribute::in_process;
#else
using ranks = distribute::alone;
#endif
void use(parameters<model>& theta, ranks& world) { training train(theta, world); }
