// Parameters where the trainer stands.
// expect(g++): the first argument is not a trainer; write schedules::rate_range_test(trainer, data)
// expect(clang): "the first argument is not a"
// expect(clang): "trainer; write"
// expect(clang): "schedules::rate_range_test(trainer"
// expect(clang): ", data)"
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
void use([[maybe_unused]] training& train, [[maybe_unused]] parameters<model>& theta) {
#ifdef MISTAKE
  schedules::rate_range_test(theta, rows());
#else
  schedules::rate_range_test(train, rows());
#endif
}
