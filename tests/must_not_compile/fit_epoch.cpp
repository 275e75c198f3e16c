// The number of epochs in the singular.
// expect(g++): fit has no option \'epoch\'; write {.epochs = 30}
// expect(clang): "fit has no option \'epoch\'; write"
// expect(clang): "{.epochs = 30}"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
void use(trainer<model, cross_entropy<"logits">, adam>& train) {
  const auto feed = [](auto&, std::span<const int>) {};
  fit(train, 100, feed, {.epoch = 3});
}
#else
void use(trainer<model, cross_entropy<"logits">, adam>& train) {
  const auto feed = [](auto&, std::span<const int>) {};
  fit(train, 100, feed, {.epochs = 3});
}
#endif
