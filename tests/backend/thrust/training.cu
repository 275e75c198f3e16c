// The index lookup trains on a GPU: losses and parameters of some steps are those of the CPU.
#include "../examples/digit_sequences.hpp"
#include "tenon/backend/thrust/thrust.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

namespace tenon::test {

using index_lookup = graph<"index_lookup", input<"tokens", token<10>, steps<10>>, input<"index", token<10>>,
                           node<"embedded", embedding<10, 128>, "tokens">,
                           node<"states", lstm<32, bidirectional, layers<2>, dropout<0.5>>, "embedded">,
                           node<"query", chain<embedding<10, 128>, linear<64>>, "index">,
                           node<"context", attention<score::dot>, "query", "states">,
                           node<"logits", linear<10>, "context">, output<"logits">>;

template <class Backend>
std::pair<training_history, parameters<index_lookup>> trained() {
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, cross_entropy<"logits">, adam, batch<32>, on<Backend>> learner(theta, {}, seed{4});
  auto history =
      fit(learner, digit_sequences(640, seed{1}), {.epochs = 2, .shuffle = seed{5}, .log = nullptr});
  return {history, theta};
}

TEST_CASE("a GPU learns what the CPU learns") {
  const auto [expected, here] = trained<backend::cpu>();
  const auto [got, there] = trained<backend::thrust_device>();
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(got.epochs[k].loss == doctest::Approx(expected.epochs[k].loss).epsilon(1e-3));
  double largest = 0;
  for (int k = 0; k < here.block_size; ++k)
    largest = std::fmax(largest, std::fabs(double(here.data()[k]) - double(there.data()[k])));
  CHECK(largest < 1e-2);
}

}  // namespace tenon::test
