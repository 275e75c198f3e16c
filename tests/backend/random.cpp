// The random numbers of every seed: Philox 4x32-10 against the authors' own vectors (kat_vectors of Random123),
// and the numbers that a stream computes from its words.
#include "tenon/backend/random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

using namespace tenon::backend;

namespace {

std::array<std::uint32_t, 4> words(const philox_block& b) {
  return {b.word[0], b.word[1], b.word[2], b.word[3]};
}

}  // namespace

TEST_CASE("blocks are those of the published generator") {
  using block = std::array<std::uint32_t, 4>;
  CHECK(words(philox(0, 0, 0)) == block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(words(philox(~0ull, ~0ull, ~0ull)) == block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(words(philox(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88)) ==
        block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is the words of its blocks, one after the other") {
  random_stream random(7, 3);
  for (std::uint64_t k = 0; k < 3; ++k)
    for (std::uint32_t w : words(philox(7, 3, k))) CHECK(random.word() == w);
  random_stream numbers(7, 3);
  for (int k = 0; k < 1000; ++k) {
    const double u = numbers.uniform();
    CHECK((u >= 0 && u < 1));
    CHECK(numbers.below(5) < 5);
  }
}

// Four words for each three numbers: without rejection, the multiples of three would come twice as often.
TEST_CASE("numbers below a bound are equally likely, however large it is") {
  constexpr std::uint32_t bound = 3u << 30;
  random_stream random(5, 1);
  std::array<int, 3> drawn{};
  for (int k = 0; k < 9000; ++k) {
    const std::uint32_t number = random.below(bound);
    REQUIRE(number < bound);
    ++drawn[number % 3];
  }
  for (int count : drawn) CHECK(std::abs(count - 3000) < 5 * 45);  // five standard deviations
}
TEST_CASE("normal numbers have the moments of their distribution, and the same seed gives the same") {
  tenon::backend::random_stream numbers(3, 1), same(3, 1), moved(3, 1);
  constexpr int count = 200000;
  double sum = 0, squares = 0, fourth = 0;
  int within_one = 0;
  bool all_same = true;
  for (int k = 0; k < count; ++k) {
    const double x = numbers.normal();
    all_same = all_same && x == same.normal() && std::abs(moved.normal(10, 2) - (10 + 2 * x)) < 1e-12;
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    within_one += x > -1 && x < 1;
  }
  CHECK(all_same);
  CHECK(std::abs(sum / count) < 0.01);
  CHECK(std::abs(squares / count - 1) < 0.02);
  CHECK(std::abs(fourth / count - 3) < 0.1);
  CHECK(std::abs(within_one / double(count) - 0.6827) < 0.005);
}
