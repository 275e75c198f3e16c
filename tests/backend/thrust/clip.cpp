// Clipping of gradients on Thrust, and the sums that stay on the device, against the reference.
#include "tenon/backend/thrust/clip.hpp"

#include "tenon/backend/reference/numbers.hpp"
#include "tenon/backend/thrust/thrust.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {

using backend::run_numbers, backend::thrust_device;

std::vector<float> waves(int count) {
  std::vector<float> all;
  for (int k = 0; k < count; ++k) all.push_back(float(std::sin(0.7 * k)));
  return all;
}

TEST_CASE("a sum on the device: of none, of few, of more than there are lanes") {
  for (int count : {0, 1, 7, 1024, 1025, 5000}) {
    CAPTURE(count);
    const std::vector<float> x = waves(count);
    run_numbers ours{.squares = 100, .all_squares = 3}, theirs = ours;
    sum_squares(thrust_device{}, count, x.data(), false, &ours);
    sum_squares(backend::reference{}, count, x.data(), false, &theirs);
    CHECK(ours.squares == doctest::Approx(theirs.squares).epsilon(1e-14));
    CHECK(ours.all_squares == doctest::Approx(theirs.all_squares).epsilon(1e-14));
    sum_squares(thrust_device{}, count, x.data(), true, &ours);  // a second piece
    CHECK(ours.squares == doctest::Approx(2 * theirs.squares).epsilon(1e-14));
  }
}
TEST_CASE("gradients are scaled where their norm is above the limit") {
  for (double most : {0.5, 3.0}) {
    std::vector<float> x{1, -1, 1, 1}, y = x;
    const run_numbers numbers{.squares = 4};
    scale_to_norm(thrust_device{}, 4, most, &numbers, x.data());
    scale_to_norm(backend::reference{}, 4, most, &numbers, y.data());
    CHECK(x == y);
    CHECK(x[0] == doctest::Approx(most < 2 ? most / 2 : 1).epsilon(1e-5));
  }
  std::vector<float> x{1, -2, 0.5, std::numeric_limits<float>::infinity()};
  limit_elements(thrust_device{}, 4, 0.75f, x.data());
  CHECK(x == std::vector<float>{0.75, -0.75, 0.5, 0.75});
}
TEST_CASE("numbers of a run are finite, or are not") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(run_numbers{.loss = 1, .all_squares = 2}.is_finite());
  for (double bad : {inf, -inf, nan}) {
    CHECK(!run_numbers{.loss = bad}.is_finite());
    CHECK(!run_numbers{.all_squares = bad}.is_finite());
  }
}
TEST_CASE("means over positions") {
  const std::vector<float> values = waves(12), counts{1, 0, 2, 1, 1, 0.5, 0, 1, 1, 2, 1, 1};
  const int lengths[3]{4, 0, 2};
  const backend::operand<const float> x{values.data(), 1, 3};
  for (const float* weights : {static_cast<const float*>(nullptr), counts.data()})
    for (const int* ends : {static_cast<const int*>(nullptr), static_cast<const int*>(lengths)}) {
      const backend::operand<const float> weight{weights, 1, 3};
      backend::positions_sum ours, theirs;
      run_numbers run{.loss = 1, .positions = 5}, run_ = run;
      float mean = 0, mean_ = 0;
      mean_positions(thrust_device{}, 4, 3, ends, x, weight, 0.5,
                     backend::loss_numbers<float>{&ours, &run, &mean});
      mean_positions(backend::reference{}, 4, 3, ends, x, weight, 0.5,
                     backend::loss_numbers<float>{&theirs, &run_, &mean_});
      CHECK(ours.sum == doctest::Approx(theirs.sum).epsilon(1e-14));
      CHECK(ours.count == theirs.count);
      CHECK(run.loss == doctest::Approx(run_.loss).epsilon(1e-14));
      CHECK(run.positions == run_.positions);
      CHECK(mean == doctest::Approx(mean_));
      std::vector<float> gradient(12, 7), gradient_(12, 8);
      const backend::positions_sum& own = theirs;
      positions_gradient(thrust_device{}, 4, 3, ends, 0.5, &own,
                         backend::operand<float>{gradient.data(), 1, 3});
      positions_gradient(backend::reference{}, 4, 3, ends, 0.5, &own,
                         backend::operand<float>{gradient_.data(), 1, 3});
      CHECK(gradient == gradient_);
    }
}
TEST_CASE("dropout whose seed and step are on the device") {
  const std::vector<float> x = waves(103);
  std::vector<float> ours(103), theirs(103);
  for (std::uint64_t step : {0u, 1u, 70000u}) {
    const run_numbers numbers{.seed = 5, .step = step};
    dropout_elements(thrust_device{}, 103, 0.5, &numbers, 7, x.data(), ours.data());
    dropout_elements(backend::reference{}, 103, 0.5, 5, step << 16 | 7, x.data(), theirs.data());
    CHECK(ours == theirs);
  }
}

}  // namespace tenon::test
