// Numbers of an update with several batches: they start at zero each time, at the same address.
#include "tenon/train/optimizers/update_numbers.hpp"

#include "backend/thrust/fenced.hpp"
#include "tenon/backend/cpu/cpu.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <type_traits>

namespace tenon::test {

static_assert(std::is_empty_v<engine::update_numbers<backend::cpu>>);  // its clipping returns the norm

TEST_CASE("each update begins with zeros, where a captured one expects them") {
  backend::own_memory<float, fenced> block(2);
  const float numbers[]{3, 4};
  copy_in(fenced{}, numbers, block.data(), sizeof numbers);
  const float* const slopes = block.data();
  engine::update_numbers<fenced> update;
  backend::run_numbers* const first = update.begin();
  CHECK(update.squares() == 0);
  sum_squares(fenced{}, 2, slopes, false, first);
  CHECK(update.squares() == 25);
  sum_squares(fenced{}, 1, slopes, false, first);  // another group
  CHECK(update.squares() == 34);
  CHECK(update.begin() == first);
  CHECK(update.squares() == 0);
  sum_squares(fenced{}, 1, slopes, false, first);
  CHECK(update.squares() == 9);
}

}  // namespace tenon::test
