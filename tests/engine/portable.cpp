// With TENON_PORTABLE, layers are as close to the reference in double as without it, and a row of a batch is the single run, bit by bit.
// tests/equal_bits compares the bits of several processors.
// flags: -DTENON_PORTABLE
#include "support/check_batches.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

template <concepts::Graph G>
void check_portable() {
  check_network<G, losses::mse<"y">, true>();
  check_batches<G>();
}

TEST_CASE("gates, exponentials, logarithms, norms") {
  check_portable<of_steps<chain<lstm<5>, activation::softplus, linear<3>>>>();
  check_portable<of_steps<chain<gru<19>, activation::gelu, layer_norm, linear<3>>>>();
}

}  // namespace tenon::test
