// A block that has ended when the first epoch has.
// expect(g++): histograms are taken after each epoch, of a block that ends with this line; give the block a name: parameters<graph> theta;
// expect(clang): "histograms are taken after each"
#include <tenon/tenon.hpp>
#include <tenon/train/reports/tensorboard.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
io::tensorboard use([[maybe_unused]] parameters<model>& theta) {
#ifdef MISTAKE
  return io::tensorboard("runs/1").histograms(parameters<model>(seed{1}));
#else
  return io::tensorboard("runs/1").histograms(theta);
#endif
}
