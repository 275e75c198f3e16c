// Parameters where the trainer stands.
// expect(g++): what fit is to train is no trainer; write fit(trainer, rows, feed, {.epochs = 30}, after_epoch)
// expect(clang): "what fit is to train is no"
// expect(clang): "trainer; write fit(trainer, rows,"
// expect(clang): "feed, {.epochs = 30}, after_epoch)"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<32>>;
void use([[maybe_unused]] training& train, [[maybe_unused]] parameters<model>& theta) {
  const auto feed = [](training&, std::span<const int>) {};
#ifdef MISTAKE
  fit(theta, 100, feed);
#else
  fit(train, 100, feed);
#endif
}
