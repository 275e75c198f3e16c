// Initialisers as values: PyTorch's formulas, to which parameters each applies, and mistakes in one.
#include "tenon/graph/initializer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

namespace tenon::inline v0_1::ir {

namespace {

constexpr bool has_mistake(const initializer& start, int rows = 4, bool is_matrix = true) {
  return mistake_in(start, rows, is_matrix).rule != nullptr;
}
constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(!has_mistake(init::constant(3)) && !has_mistake(init::uniform(-1, 1)) &&
              !has_mistake(init::normal(0, 0)) && !has_mistake(init::truncated_normal()));
static_assert(has_mistake(init::uniform(1, -1)) && has_mistake(init::normal(0, -1)));
static_assert(has_mistake(init::constant(infinity)) && has_mistake(init::normal(-infinity, 1)));
static_assert(has_mistake(init::truncated_normal(0, 0)) && has_mistake(init::truncated_normal(0, 1, 2, 2)) &&
              has_mistake(init::truncated_normal(0, 1, -infinity, 2)));
// Only for a matrix.
static_assert(!has_mistake(init::orthogonal()) && has_mistake(init::orthogonal(), 4, false) &&
              has_mistake(init::xavier_uniform(), 4, false) && has_mistake(init::identity(), 4, false) &&
              !has_mistake(init::normal(), 4, false));
// Rows in equal blocks.
static_assert(!has_mistake(init::each_of(2, init::orthogonal())) &&
              has_mistake(init::each_of(3, init::orthogonal())) &&
              has_mistake(init::each_of(0, init::orthogonal())));

}  // namespace

TEST_CASE("bounds and deviations") {
  CHECK(init::uniform(1, 4).mean == 2.5);
  CHECK(init::uniform(1, 4).scale == 1.5);
  // The number that is divided by the root of the fan: the bound of a uniform distribution of variance v is sqrt(3 v).
  CHECK(init::kaiming_uniform(init::fan::in, 1).scale == doctest::Approx(std::sqrt(3.0)));
  CHECK(init::kaiming_uniform().scale == doctest::Approx(std::sqrt(6.0)));
  CHECK(init::kaiming_normal().scale == doctest::Approx(std::sqrt(2.0)));
  CHECK(init::xavier_uniform(2).scale == doctest::Approx(2 * std::sqrt(3.0)));
  CHECK(init::xavier_normal().over == init::fan::average);
  CHECK(init::gain::leaky_relu(0.2) == doctest::Approx(std::sqrt(2 / 1.04)));
  CHECK(init::gain::leaky_relu(0) == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("the parameters of an equation start alike, but for those named, by letter or by letter and gate") {
  static constexpr start_value own[]{
      {"b", "f", init::constant(1)}, {"b", init::constant(2)}, {"U", init::orthogonal()}};
  const initializers all(init::uniform(-1, 1), own, 3);
  const auto of = [&](const char* letter, const char* gate) {
    symbol s;
    s.letter = letter;
    s.gate = gate;
    return all.of(s);
  };
  CHECK(of("W", "f") == init::uniform(-1, 1));
  CHECK(of("b", "f") == init::constant(1));  // the gate's own initialiser has priority over its letter's
  CHECK(of("b", "i") == init::constant(2));
  CHECK(of("U", "") == init::orthogonal());
}

}  // namespace tenon::inline v0_1::ir
