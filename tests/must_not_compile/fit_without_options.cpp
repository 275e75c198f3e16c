// What follows an epoch where the options stand.
// expect(g++): fit needs its options behind the feed; write {.epochs = 30}, then what follows each epoch
// expect(clang): "fit needs its options behind the"
// expect(clang): "feed; write {.epochs = 30}, then"
// expect(clang): "what follows each epoch"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<32>>;
void use(training& train) {
  const auto feed = [](training&, std::span<const int>) {};
#ifdef MISTAKE
  fit(train, 100, feed, [](const epoch_report&) {});
#else
  fit(train, 100, feed, {}, [](const epoch_report&) {});
#endif
}
