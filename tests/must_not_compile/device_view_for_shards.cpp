// Inputs in a device's memory for a batch that the program cuts.
// expect(g++): with shards<N> the program cuts its batch, and \'x\' is given in a device\'s memory; give a tensor of the program\'s memory
// expect(clang): "with shards<N> the program cuts"
// expect(clang): "its batch, and \'x\' is given in a"
// expect(clang): "device\'s memory; give a tensor of"
// expect(clang): "the program\'s memory"
#include <tenon/on_device.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<2>, on<backend::thrust_device>>;
void use(training& train, const float* x) {
#ifdef MISTAKE
  set_input<"x">(train, backend::device_view<const float>(view<const float>(x, {64, 8})));
#else
  set_input<"x">(train, view<const float>(x, {64, 8}));
#endif
}
