// An inference where the trainer stands, with options of every kind.
// expect(g++): the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})
// expect(clang): the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use([[maybe_unused]] training& train, [[maybe_unused]] inference<model>& loaded) {
#ifdef MISTAKE
  fit(loaded, rows(), {.epochs = 3, .checkpoint = checkpoint{"a"}});
#else
  fit(train, rows(), {.epochs = 3, .checkpoint = checkpoint{"a"}});
#endif
}
