// The trainer where its parameters stand.
// expect(g++): is not a block of parameters; write histograms(theta), or histograms(trainer.gradients(), \"gradients\")
// expect(clang): "\'trainer<graph<\"model\", input<\"x\","
// expect(clang): "features<8>>, node<\"logits...\' is"
// expect(clang): "not a block of parameters; write"
// expect(clang): "histograms(theta), or"
// expect(clang): "histograms(trainer.gradients(),"
// expect(clang): "\"gradients\")"
#include <tenon/tenon.hpp>
#include <tenon/train/reports/tensorboard.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
io::tensorboard use([[maybe_unused]] training& train, [[maybe_unused]] parameters<model>& theta) {
#ifdef MISTAKE
  return io::tensorboard("runs/1").histograms(train);
#else
  return io::tensorboard("runs/1").histograms(theta);
#endif
}
