// A trainer is saved, without the header that does it.
// expect(g++): save_checkpoint and load_checkpoint take a trainer and a path, as in io::save_checkpoint(trainer, \'run.ckpt\'), and are in a header of their own: #include <tenon/train.hpp>
// expect(clang): error: save_checkpoint and load_checkpoint take a trainer and a path, as in io::save_checkpoint(trainer, 'run.ckpt'), and are in a header of their own: #include <tenon/train.hpp>
// alone: which headers it includes is the mistake
#include <tenon/tenon.hpp>
#ifndef MISTAKE
#  include <tenon/train.hpp>
#endif

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(trainer<model, losses::mse<"y">, optimizers::adam>& train) {
  io::save_checkpoint(train, "run.ckpt");
}
