// The sum of squares for clipping gradients, in the emulation of blocks and threads, against the reference.
#include "tenon/backend/cuda/clip.hpp"

#include "tenon/backend/reference/numbers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {

using backend::run_numbers;

TEST_CASE("squares are added up in blocks, and a second piece continues the first") {
  for (int count : {0, 1, 7, 4096, 5000}) {
    CAPTURE(count);
    std::vector<float> x;
    for (int k = 0; k < count; ++k) x.push_back(float(std::sin(0.7 * k)));
    run_numbers ours{.squares = 100, .all_squares = 3}, theirs = ours;
    sum_squares(backend::cuda{}, count, x.data(), false, &ours);
    sum_squares(backend::reference{}, count, x.data(), false, &theirs);
    CHECK(ours.squares == doctest::Approx(theirs.squares).epsilon(1e-14));
    CHECK(ours.all_squares == doctest::Approx(theirs.all_squares).epsilon(1e-14));
    sum_squares(backend::cuda{}, count, x.data(), true, &ours);
    CHECK(ours.squares == doctest::Approx(2 * theirs.squares).epsilon(1e-14));
  }
}

}  // namespace tenon::test
