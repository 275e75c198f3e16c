// A tag makes the trades that it derives from, and so do tags that derive from it. What weights in 16 and in 8 bits do to a network.
#include "support/check_batches.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace tenon::test {

using backend::bfloat16_weights, backend::cpu_with, backend::fast_math, backend::int8_weights;
using backend::trades;

struct plain {};
struct rounding : plain, bfloat16_weights {};
struct of_a_user : rounding {};
struct another_trade {};

static_assert(!trades<plain, bfloat16_weights>);
static_assert(trades<rounding, bfloat16_weights> && trades<of_a_user, bfloat16_weights>);
static_assert(!trades<rounding, another_trade> && !trades<of_a_user, another_trade>);

namespace {

using layers =
    graph<"layers", input<"x", features<19>, steps<7>>, node<"near", nn::conv1d<23, 3, nn::is_causal>, "x">,
          node<"states", nn::lstm<37>, "near">,
          node<"y", nn::chain<nn::linear<29>, nn::activation::tanh>, "states">, output<"y">>;
using in_8_bits = cpu_with<int8_weights>;

std::vector<float> some_steps() {
  std::vector<float> x;
  for (int k = 0; k < 7 * 19; ++k) x.push_back(std::sin(0.37f * float(k * k)));
  return x;
}
std::vector<float> outputs(auto& stream) {
  const std::vector<float> x = some_steps();
  std::vector<float> all;
  for (int t = 0; t < 7; ++t) {
    const auto y = stream.step(std::span<const float>(x).subspan(std::size_t(t) * 19, 19));
    for (std::size_t k = 0; k < 29; ++k) all.push_back(y(0, k));
  }
  return all;
}
// The distance of the outputs from those in float, over the size of these.
template <class Backend>
double error(const parameters<layers>& theta) {
  streaming<layers> in_float(theta);
  streaming<layers, on<Backend>> rough(theta);
  const std::vector<float> expected = outputs(in_float), got = outputs(rough);
  double distance = 0, size = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    distance += std::pow(double(got[k]) - double(expected[k]), 2);
    size += std::pow(double(expected[k]), 2);
  }
  return std::sqrt(distance / size);
}

}  // namespace

// A step of 8 bits is 1/127 of the largest weight of a row, one of bfloat16 up to 1/128 of a weight itself: the errors are of the same order.
TEST_CASE("weights in 16 and in 8 bits change a network's outputs by a percent") {
  const parameters<layers> theta(seed{3});
  for (const double e : {error<in_8_bits>(theta), error<cpu_with<int8_weights, fast_math>>(theta),
                         error<cpu_with<bfloat16_weights>>(theta)}) {
    CHECK(e < 0.01);
    CHECK(e > 1e-5);  // something is rounded
  }
}
TEST_CASE("a stream in 8 bits, of steps or of blocks, gives what all steps at once give, bit by bit") {
  const parameters<layers> theta(seed{3});
  streaming<layers, on<in_8_bits>> live(theta);
  const std::vector<float> expected = outputs(live), x = some_steps();
  streaming<layers, block<4>, on<in_8_bits>> blocks(theta);
  const std::span<const float> all(x);
  const auto first = blocks.run(all.first(4 * 19));
  for (std::size_t t = 0; t < 4; ++t)
    for (std::size_t k = 0; k < 29; ++k) CHECK(first(0, t, k) == expected[t * 29 + k]);
  inference<layers, on<in_8_bits>> whole(theta);
  std::vector<std::vector<std::array<float, 19>>> rows(1);
  for (std::size_t t = 0; t < 7; ++t) std::copy_n(x.data() + t * 19, 19, rows[0].emplace_back().begin());
  const auto y = whole(rows);
  for (std::size_t t = 0; t < 7; ++t)
    for (std::size_t k = 0; k < 29; ++k) CHECK(y(0, t, k) == expected[t * 29 + k]);
}
// However a tag has the trade, products are those of 8 bits.
TEST_CASE("a tag of a user that derives from the CPU backend and from a trade makes it") {
  struct in_mine : backend::cpu, int8_weights {};
  struct in_its_own : in_8_bits {};
  const parameters<layers> theta(seed{3});
  streaming<layers, on<in_8_bits>> given(theta);
  streaming<layers, on<in_mine>> mine(theta);
  streaming<layers, on<in_its_own>> derived(theta);
  const std::vector<float> expected = outputs(given);
  CHECK(outputs(mine) == expected);
  CHECK(outputs(derived) == expected);
}
TEST_CASE("a row of a batch in 8 bits is the single run, bit by bit") { check_batches<layers, in_8_bits>(); }

}  // namespace tenon::test
