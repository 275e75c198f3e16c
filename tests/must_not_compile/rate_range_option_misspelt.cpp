// An option that rate_range_test does not have.
// expect(g++): as in rate_range_test(trainer, data, {.low = 1e-5}): .low, .high, .steps, .smoothing, .divergence, .shuffle, .batches
// expect(clang): as in rate_range_test(trainer, data, {.low = 1e-5}): .low, .high, .steps, .smoothing, .divergence, .shuffle, .batches
#include <tenon/tenon.hpp>
#include <tenon/train/loop/rate_range.hpp>

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
  schedules::rate_range_test(train, rows(), {.lowest = 1e-6});
#else
  schedules::rate_range_test(train, rows(), {.low = 1e-6});
#endif
}
