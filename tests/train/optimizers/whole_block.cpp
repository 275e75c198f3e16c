// A block without sparse tables is one piece with each element once.
#include <tenon/train/optimizers/whole_block.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace tenon;

static_assert(!engine::whole_block<7>::is_sparse);

TEST_CASE("each element that is asked for is in a piece once, and no other") {
  constexpr int size = 7;
  const engine::whole_block<size> block;
  std::vector<int> times(size);
  const auto count = [&](std::ptrdiff_t from, std::ptrdiff_t elements) {
    REQUIRE(from >= 0);
    REQUIRE(from + elements <= size);
    for (std::ptrdiff_t k = from; k < from + elements; ++k) ++times[static_cast<std::size_t>(k)];
  };
  block.each(count);
  CHECK(times == std::vector<int>(size, 1));
  for (std::ptrdiff_t from = 0; from <= size; ++from)
    for (std::ptrdiff_t end = from; end <= size; ++end) {
      std::fill(times.begin(), times.end(), 0);
      block.each(from, end, count);
      for (std::ptrdiff_t k = 0; k < size; ++k)
        CHECK(times[static_cast<std::size_t>(k)] == (from <= k && k < end ? 1 : 0));
    }
}
