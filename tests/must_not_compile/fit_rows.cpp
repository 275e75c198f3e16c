// The data where their number stands.
// expect(g++): fit needs the number of rows, got \'std::vector<float>\'; write fit(trainer, rows, feed, {.epochs = 30}, after_epoch)
// expect(clang): "fit needs the number of rows, got"
// expect(clang): "\'std::vector<float>\'; write"
// expect(clang): "fit(trainer, rows, feed, {.epochs"
// expect(clang): "= 30}, after_epoch)"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<32>>;
void use(training& train, const std::vector<float>& data) {
  const auto feed = [](training&, std::span<const int>) {};
#ifdef MISTAKE
  fit(train, data, feed);
#else
  fit(train, data.size(), feed);
#endif
}
