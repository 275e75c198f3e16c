// A rule whose rate has another name.
// expect(g++): the update rule of this trainer has no learning_rate to be tried; give the rule a member double learning_rate
// expect(clang): "the update rule of this trainer"
// expect(clang): "has no learning_rate to be tried;"
#include <tenon/tenon.hpp>
#include <tenon/train/loop/rate_range.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
struct plain {
#ifdef MISTAKE
  double speed = 0.1;
  std::array<double, 1> constants(long) const { return {speed}; }
#else
  double learning_rate = 0.1;
  std::array<double, 1> constants(long) const { return {learning_rate}; }
#endif
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
};
using training = trainer<model, losses::cross_entropy<"logits">, plain, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use(training& train) { schedules::rate_range_test(train, rows()); }
