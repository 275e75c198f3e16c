// Parameters where the trainer stands.
// expect(g++): the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})
// expect(clang): the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})
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
void use([[maybe_unused]] training& train, [[maybe_unused]] parameters<model>& theta) {
#ifdef MISTAKE
  fit(theta, rows(), {.epochs = 3, .schedule = schedules::cosine(1e-3)});
#else
  fit(train, rows(), {.epochs = 3, .schedule = schedules::cosine(1e-3)});
#endif
}
