// A metric without its braces.
// expect(g++): evaluate takes a trainer, data, and metrics in braces, as in evaluate(trainer, data, {metric::accuracy{}})
// expect(clang): evaluate takes a trainer, data, and metrics in braces, as in evaluate(trainer, data, {metric::accuracy{}})
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
  evaluate(train, rows(), metric::accuracy{});
#else
  evaluate(train, rows(), {metric::accuracy{}});
#endif
}
