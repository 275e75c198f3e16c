// The weights of a stage as bfloat16, and which of them are grouped; and faster functions.
#include "support/check_stage.hpp"

#include <bit>
#include <cstdint>

using namespace tenon;
using namespace tenon::test;

TEST_CASE("weights that bfloat16 holds exactly give the same as in float") {
  for (int steps : {1, 3}) {
    check_stage<cell_step<nn::cells::lstm, 3, 4>, float, rounded>(steps, 1, 0);
    check_stage<cell_step<nn::cells::lstm, 3, 7>, float, rounded>(steps, 1, 0);
    check_stage<cell_step<nn::cells::lstm, 33, 48>, float, rounded>(steps, 1, 3);
    check_stage<cell_step<nn::cells::gru, 5, 33>, float, rounded>(steps, 1, 0);
    check_stage<cell_step<nn::cells::gru_cho, 7, 19>, float, rounded>(steps, 1, 0);
    check_stage<cell_step<nn::cells::rnn_tanh, 7, 75>, float, rounded>(steps, 1, 0);
  }
}
struct derived : rounded {};
static_assert(backend::trades<derived, backend::bfloat16_weights> &&
              !backend::trades<derived, backend::fast_math>);
TEST_CASE("a tag that derives from one with a trade has the trade") {
  check_stage<cell_step<nn::cells::lstm, 3, 7>, float, derived>(1, 1, 0);
}
TEST_CASE("faster functions in a stage") {
  using faster = backend::cpu_with<backend::fast_math>;
  for (int rows : {1, 3, 9}) check_stage<cell_step<nn::cells::lstm, 5, 33>, float, faster>(1, rows, 2);
  using both = backend::cpu_with<backend::bfloat16_weights, backend::fast_math>;
  check_stage<cell_step<nn::cells::gru, 5, 33>, float, both>(3, 1, 0);
}
TEST_CASE("bfloat16 rounds to nearest, ties to even") {
  const auto stored = [](float x) {
    float pair = 0;
    backend::detail::bfloat16_pairs::put<backend::simd::vector<float>>(x, 0, 0, &pair);
    const float low = pair;
    backend::detail::bfloat16_pairs::put<backend::simd::vector<float>>(x, 1, 0, &pair);
    CHECK((std::bit_cast<std::uint32_t>(pair) & 0xffff) == std::bit_cast<std::uint32_t>(low));
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(low) << 16);
  };
  CHECK(stored(1.f) == 1.f);
  CHECK(stored(-0.15625f) == -0.15625f);
  CHECK(stored(1.f + 0x1p-8f) == 1.f);               // half way: to even
  CHECK(stored(1.f + 0x1.8p-7f) == 1.f + 0x1p-6f);   // half way: to even, upwards
  CHECK(stored(1.f + 0x1.02p-8f) == 1.f + 0x1p-7f);  // past half way
  if constexpr (!__FINITE_MATH_ONLY__) {
    CHECK(std::isinf(stored(3.4e38f)));
    CHECK(std::isnan(stored(std::numeric_limits<float>::quiet_NaN())));
  }
  noise random(3);
  for (int k = 0; k < 1000; ++k) {
    const float x = static_cast<float>(random());
    CHECK(std::abs(stored(x) - x) <= 0x1p-8f * std::abs(x));
  }
}
TEST_CASE("units go one vector at a time where the cache then holds a part for the next step") {
  constexpr int lanes = 16, most = backend::detail::cached_vectors;
  const auto group = [](int columns, int depth, int width, int others = 0, bool one_row = true) {
    stage_body stage{.one_row = one_row, .others = others};
    stage_product product{.depth = depth};
    for (int c = 0; c < columns; ++c) product.columns.add(c * width);
    stage.body.width = width;
    stage.products.add(product);
    return backend::detail::stage_group(stage, lanes);
  };
  CHECK(group(4, most / 4, 64) == 1);
  CHECK(group(4, most / 8, 64) == 1);
  CHECK(group(4, most / 8 - 1, 64) == 2);     // two stay in the cache
  CHECK(group(4, most / 4 + 1, 64) == 2);     // none stays
  CHECK(group(4, most / 4, 64, lanes) == 2);  // the other products evict it
  CHECK(group(4, most / 8, 32) == 1);         // one of two vectors stays
  CHECK(group(4, most / 4, 16) == 2);         // there is no other group
  CHECK(group(4, most / 4, 64, 0, false) == 2);
  CHECK(group(5, 1, 64) == 1);
  CHECK(group(1, most, 64) == 4);
}
