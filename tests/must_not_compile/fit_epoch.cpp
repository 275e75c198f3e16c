// The number of epochs in the singular.
// expect(g++): fit has no option \'epoch\'; write {.epochs = 30}
// expect(clang): "fit has no option \'epoch\'; write"
// expect(clang): "{.epochs = 30}"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use(training& train) {
#ifdef MISTAKE
  fit(train, rows(), {.epoch = 3});
#else
  fit(train, rows(), {.epochs = 3});
#endif
}
