// An option that fit does not have, among others.
// expect: fit takes a trainer, data, and options by their names in this order, as in fit(trainer, data, {.epochs = 30}): .epochs, .shuffle,
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
  fit(train, rows(), {.epochs = 3, .validation = rows()});
#else
  fit(train, rows(), {.epochs = 3, .validate = rows()});
#endif
}
