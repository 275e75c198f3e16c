// What operations share: zeros past the ends of sequences, random numbers that differ by operation, step and noise.
#include "tenon/engine/run/operations/operation.hpp"

#include "tenon/backend/reference/reference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace tenon::inline v0_1::engine {

namespace {

constexpr int rows = 2, width = 3, most_steps = 4;
struct in_memory {
  std::vector<double> numbers = std::vector<double>(rows * width * most_steps, 1.0);
  int steps[1]{most_steps}, full[1]{2}, lengths[rows]{2, 4};
  const int* lengths_of_axes[1]{lengths};
  run_context<double> context{};
  operation_places own{};
  in_memory() {
    context.inputs.steps = steps;
    context.inputs.full_steps = full;
    context.inputs.lengths = lengths_of_axes;
    own.axis[0] = 0;
  }
  places<double> at() { return {context, own}; }
};

}  // namespace

TEST_CASE("elements past a row's end are zero, and no row is looked at if none ends") {
  in_memory m;
  const operand<double> y{m.numbers.data(), width, rows * width};
  clear_past_end<width, rows>(backend::reference{}, m.at(), y);
  for (int t = 0; t < most_steps; ++t)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < width; ++c)
        CHECK(m.numbers[static_cast<std::size_t>((t * rows + r) * width + c)] == (t < m.lengths[r] ? 1 : 0));
  in_memory full;
  full.full[0] = most_steps;  // says that no row ends, which its lengths contradict
  clear_past_end<width, rows>(backend::reference{}, full.at(), {full.numbers.data(), width, rows * width});
  CHECK(std::count(full.numbers.begin(), full.numbers.end(), 1.0) == rows * width * most_steps);
}

TEST_CASE("dropout: the same numbers for the same seed, step, operation and noise, and others for another") {
  int plans = 0;
  const std::vector<double> x(400, 1.0);
  std::set<std::vector<double>> seen;
  const auto drop = [&](std::uint64_t seed, std::uint64_t step, int operation, std::uint64_t noise) {
    in_memory m;
    m.context.inputs.seed = seed;
    m.context.inputs.step = step;
    m.own.laid_out = operation;
    m.own.number = ++plans;  // in the plan, which changes with what is joined
    std::vector<double> y(x.size());
    drop_elements<backend::reference>(m.at(), static_cast<std::ptrdiff_t>(x.size()), 0.25, noise, x.data(),
                                      y.data());
    return y;
  };
  const std::vector<double> first = drop(1, 0, 3, 0);
  CHECK(first == drop(1, 0, 3, 0));
  const auto dropped = std::count(first.begin(), first.end(), 0.0);
  CHECK(dropped > 60);
  CHECK(dropped < 140);
  for (double y : first)
    if (y != 0) CHECK(y == doctest::Approx(1 / 0.75));
  seen.insert(first);
  seen.insert(drop(2, 0, 3, 0));
  seen.insert(drop(1, 1, 3, 0));
  seen.insert(drop(1, 0, 4, 0));
  seen.insert(drop(1, 0, 3, 1));
  CHECK(seen.size() == 5);
}

}  // namespace tenon::inline v0_1::engine
