// A number of ranks is no communicator.
// expect(g++): behind threads a trainer takes a communicator, which has a name, and nothing else; write train(theta, threads{2}, world), with one of tenon/distribute
// expect(clang): behind threads a trainer takes a communicator, which has a name, and nothing else; write train(theta, threads{2}, world), with one of tenon/distribute
#include <tenon/train.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
using training = trainer<model, losses::cross_entropy<"y">, optimizers::sgd, batch<4>, shards<2>>;

void use(parameters<model>& theta) {
#ifdef MISTAKE
  training train(theta, threads{2}, 4);
#else
  distribute::alone world;
  training train(theta, threads{2}, world);
#endif
  train.step();
}
