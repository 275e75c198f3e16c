// The number of epochs where the options stand.
// expect(g++): fit takes its options behind the data, in braces; write fit(trainer, data, {.epochs = 30})
// expect(clang): "fit takes its options behind the"
// expect(clang): "data, in braces; write"
// expect(clang): "fit(trainer, data, {.epochs = 30})"
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
  fit(train, rows(), 3);
#else
  fit(train, rows(), {.epochs = 3});
#endif
}
