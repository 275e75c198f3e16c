// A rate where its schedule is meant.
// expect(g++): fit\'s option .schedule does not take \'double\'; write .schedule = schedules::cosine(1e-3)
// expect(clang): "fit\'s option .schedule does not"
// expect(clang): "take \'double\'; write .schedule ="
// expect(clang): "schedules::cosine(1e-3)"
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
  fit(train, rows(), {.epochs = 3, .schedule = 0.1});
#else
  fit(train, rows(), {.epochs = 3, .schedule = schedules::constant(0.1)});
#endif
}
