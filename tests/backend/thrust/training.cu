// The index lookup trains on a GPU: losses and parameters of some steps are those of the CPU.
// with: support/trained_on_cpu.cpp
#include "backend/thrust/training.hpp"
#include "support/worse.hpp"
#include "tenon/backend/thrust/thrust.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

namespace tenon::test {

TEST_CASE("a GPU learns what the CPU learns") {
  const trained expected = trained_on_cpu(), got = train_index_lookup<backend::thrust_device>();
  REQUIRE(expected.losses.size() == 2);
  REQUIRE(got.losses.size() == 2);
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(got.losses[k] == doctest::Approx(expected.losses[k]).epsilon(1e-3));
  REQUIRE(got.parameters.size() == expected.parameters.size());
  double largest = 0;
  for (std::size_t k = 0; k < got.parameters.size(); ++k)
    largest = worse(largest, std::fabs(double(expected.parameters[k]) - double(got.parameters[k])));
  CHECK(largest < 1e-2);
}

}  // namespace tenon::test
