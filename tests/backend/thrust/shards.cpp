// What shards of a batch share on Thrust: blocks that are added and copied, and the losses of all of them, which are added along a tree.
#include "tenon/backend/thrust/shards.hpp"

#include "tenon/backend/thrust/thrust.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::test {

using backend::positions_sum, backend::run_numbers, backend::thrust_device;

TEST_CASE("a block is added to another, or copied") {
  const std::vector<float> from{1, 2, 3, 4};
  std::vector<float> sum{10, 20, 30, 40}, copy(4);
  add_elements(thrust_device{}, 3, from.data(), sum.data());
  copy_elements(thrust_device{}, 2, from.data() + 1, copy.data() + 2);
  CHECK(sum == std::vector<float>{11, 22, 33, 40});
  CHECK(copy == std::vector<float>{0, 0, 2, 3});
}
TEST_CASE("a shard tells its loss, and the sums of the losses that compute their counts") {
  const run_numbers run{.loss = 1.5, .positions = 7};
  const std::vector<positions_sum> of_operations{{1, 2}, {3, 4}, {5, 6}};
  const int open[]{2, 0};
  std::vector<positions_sum> told(4, positions_sum{-1, -1});
  tell_losses(thrust_device{}, &run, of_operations.data(), open, 3, told.data() + 1);
  const double sums[]{-1, 1.5, 5, 1}, counts[]{-1, 0, 6, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(told[k].sum == sums[k]);
    CHECK(told[k].count == counts[k]);
  }
}

// The sum of numbers from `first` to before `end` by the rule of sum_tree.hpp, in words: that of as many first ones as the largest power of two below
// their number, plus that of the others.
double by_rule(const std::vector<double>& x, std::size_t first, std::size_t end) {
  if (end - first == 1) return x[first];
  std::size_t whole = 1;
  while (2 * whole < end - first) whole *= 2;
  return by_rule(x, first, first + whole) + by_rule(x, first + whole, end);
}
TEST_CASE("what shards have told is added along the tree, whose order shows in the bits") {
  const std::vector<double> x{1, 1e16, -1e16, 3, 1e-3, 7e15, 0.1};
  double from_left = 0;
  for (const double each : x) from_left += each;
  CHECK(from_left != by_rule(x, 0, x.size()));
  for (int shards = 1; shards <= 7; ++shards) {
    const auto n = static_cast<std::size_t>(shards);
    std::vector<positions_sum> told;
    std::vector<double> counts;
    for (std::size_t k = 0; k < n; ++k) {
      told.push_back({x[k], 0});
      told.push_back({2 * x[k], double(k) + 1});
      told.push_back({5, 0});  // of a loss without positions
      counts.push_back(double(k) + 1);
    }
    run_numbers whole{.seed = 3, .step = 4, .squares = 5, .all_squares = 6};
    join_losses(thrust_device{}, shards, 3, told.data(), &whole);
    const double positions = by_rule(counts, 0, n);
    CHECK(whole.loss == by_rule(x, 0, n) + 2 * by_rule(x, 0, n) / positions);
    CHECK(whole.positions == positions);
    CHECK(whole.seed == 3);
    CHECK(whole.all_squares == 6);

    const int open[]{1, 0};
    std::vector<positions_sum> of_operations{{1, 2}, {3, 4}, {5, 6}};
    give_counts(thrust_device{}, told.data(), open, 3, of_operations.data());
    CHECK(of_operations[1].count == positions);
    CHECK(of_operations[1].sum == 3);
    CHECK(of_operations[0].count == 0);
    CHECK(of_operations[2].count == 6);
  }
}
TEST_CASE("captured, they read what is there when they run") {
  std::vector<float> from{1, 2}, to{10, 20};
  backend::work_graphs graphs;
  const auto add = graphs.capture([&] { add_elements(thrust_device{}, 2, from.data(), to.data()); });
  CHECK(to == std::vector<float>{10, 20});
  from = {5, 6};
  graphs.queue(add);
  graphs.queue(add);
  CHECK(to == std::vector<float>{20, 32});
}

}  // namespace tenon::test
