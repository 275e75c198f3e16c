// Three rows in a batch for eight train as in a batch for three, for any old contents of the other rows.
#include "support/compare.hpp"
#include "support/machines.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <span>

namespace tenon::test {
using namespace nn;

using model = graph<"model", input<"x", features<3>, steps<4>>, node<"states", gru<5, bidirectional>, "x">,
                    node<"logits", linear<2>, "states.final">, output<"logits">>;

// `count` sequences from number `first` on, of lengths 4, 1, 3, 2, ...
void feed_sequences(auto& session, int first, int count) {
  std::vector<float> x;
  std::vector<int> lengths, targets;
  for (int n = first; n < first + count; ++n) {
    for (int k = 0; k < 12; ++k) x.push_back(std::sin(static_cast<float>(7 * n + k)));
    lengths.push_back(n % 2 == 0 ? 4 - n % 4 / 2 : 1 + n % 4 / 2);
    targets.push_back(n % 2);
  }
  set_input<"x">(session, view<const float>(x.data(), {count, 4, 3}, {12, 3, 1}), lengths);
  set_input<"target">(session, targets);
}

TEST_CASE_TEMPLATE("a partial batch equals the smaller batch", M, oracle, processor) {
  using T = typename M::scalar;
  typename M::template parameters<model> wide_theta(seed{1}), narrow_theta(seed{1});
  trainer<model, losses::cross_entropy<"logits">, optimizers::sgd, batch<8>, on<typename M::backend>,
          scalar_type<T>>
      wide(wide_theta, {.learning_rate = 0.5});
  trainer<model, losses::cross_entropy<"logits">, optimizers::sgd, batch<3>, on<typename M::backend>,
          scalar_type<T>>
      narrow(narrow_theta, {.learning_rate = 0.5});
  feed_sequences(wide, 10, 8);
  wide.step();  // the old contents of all eight rows must have no effect
  for (int k = 0; k < wide_theta.block_size; ++k)
    narrow_theta.data()[k] = std::as_const(wide_theta).data()[k];
  const double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-13;
  for (int step = 0; step < 6; ++step) {
    const int count = step % 3 + 1;
    feed_sequences(wide, step, count);
    feed_sequences(narrow, step, count);
    CHECK(std::abs(double(wide.step()) - double(narrow.step())) <= tolerance);
    for (int k = 0; k < wide_theta.block_size; ++k)
      REQUIRE(std::abs(double(wide_theta.data()[k]) - double(narrow_theta.data()[k])) <= tolerance);
  }
}

}  // namespace tenon::test
