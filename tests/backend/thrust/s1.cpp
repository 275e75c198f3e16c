// The index lookup learns on Thrust's device, and answers 999 of 1,000 unseen sequences correctly.
// labels: slow
// timeout: 600
// flags: -O3
#include "../examples/digit_sequences.hpp"
#include "tenon/backend/thrust/thrust.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

using index_lookup = graph<"index_lookup", input<"tokens", token<10>, steps<10>>, input<"index", token<10>>,
                           node<"embedded", embedding<10, 128>, "tokens">,
                           node<"states", lstm<32, bidirectional, layers<2>, dropout<0.5>>, "embedded">,
                           node<"query", chain<embedding<10, 128>, linear<64>>, "index">,
                           node<"context", attention<score::dot>, "query", "states">,
                           node<"logits", linear<10>, "context">, output<"logits">>;

TEST_CASE("index lookup reaches an accuracy of 0.999") {
  const auto train = digit_sequences(5000, seed{1}), test = digit_sequences(5000, seed{2});
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<32>,
          on<backend::thrust_device>>
      trainer(theta, {}, seed{4});
  fit(trainer, train,
      {.epochs = 7, .shuffle = seed{5}, .schedule = schedules::cosine(2e-3), .log = nullptr});
  CHECK(evaluate(trainer, test, {metric::accuracy{}}).metrics[0] >= 0.999);
}
template <class... Options>
std::vector<float> parameters_after_two_epochs() {
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<32>,
          on<backend::thrust_device>, Options...>
      trainer(theta, {}, seed{4});
  fit(trainer, digit_sequences(300, seed{1}), {.epochs = 2, .shuffle = seed{5}, .log = nullptr});
  if constexpr (sizeof...(Options) > 0) CHECK(trainer.captured_shapes() > 0);
  return {theta.data(), theta.data() + theta.block_size};
}
TEST_CASE("captured steps have the same bits where the compiler optimises") {
  CHECK(parameters_after_two_epochs<>() == parameters_after_two_epochs<captured>());
}

}  // namespace tenon::test
