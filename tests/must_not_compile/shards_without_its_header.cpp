// An option of a trainer, without the header that knows how to run it.
// expect(g++): \'shards<4>\' is not an option of a session; options: batch<rows>, steps<bound>, block<steps>, on<backend>, scalar_type<T>, input_gradients, captured; of a trainer shards<parts>, in <tenon/train.hpp>
// expect(clang): "\'shards<4>\' is not an option of a"
// expect(clang): "input_gradients, captured; of a"
// expect(clang): "<tenon/train.hpp>"
// alone: which headers it includes is the mistake
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>
#include <tenon/train/trainer/trainer.hpp>
#ifndef MISTAKE
#  include <tenon/train/trainer/shards.hpp>
#endif

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using training = trainer<model, losses::mse<"y">, optimizers::adam, batch<32>, shards<4>>;
void use(parameters<model>& theta) { training train(theta); }
