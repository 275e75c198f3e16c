// Kernels that write numbers of a run to memory, against sums written out, and against differences of the loss itself.
#include "support/guarded_rows.hpp"
#include "support/map_kernels.hpp"
#include <tenon/backend/reference/numbers.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace tenon::backend;
using namespace tenon::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

// The mean of -log of the probability of each target, by the definition, in long double.
template <int C, class T>
long double mean_by_definition(const guarded_rows<T>& logits, const std::vector<int>& targets) {
  long double all = 0, count = 0;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    if (targets[r] < 0) continue;
    long double total = 0;
    for (int c = 0; c < C; ++c) total += std::exp(static_cast<long double>(logits(int(r), c)));
    all -= std::log(std::exp(static_cast<long double>(logits(int(r), targets[r]))) / total);
    count += 1;
  }
  return count > 0 ? all / count : 0;
}

struct sums {
  positions_sum own{-1, -1};
  run_numbers run{.seed = 3, .step = 4, .loss = 10, .positions = 20, .squares = 5, .all_squares = 6};
};

}  // namespace

TEST_CASE(
    "a mean of cross-entropies is added to the numbers of the run, and its gradient is that of the mean") {
  constexpr int C = 4;
  noise random(1);
  const std::vector<int> targets{2, -1, 0, 3, 2};
  guarded_rows<double> logits(5, C, 7), gradient(5, C);
  logits.fill([&](int, int) { return 3 * random(); });
  for (const double scale : {1.0, 0.25}) {
    sums made;
    double mean = -1;
    mean_cross_entropy<C>(reference{}, 5, logits.data(), 7, targets.data(), scale, gradient.data(),
                          loss_numbers<double>{&made.own, &made.run, &mean});
    const double expected = scale * double(mean_by_definition<C>(logits, targets));
    CHECK(mean == doctest::Approx(expected).epsilon(1e-13));
    CHECK(made.own.count == 4);
    CHECK(made.own.sum == doctest::Approx(4 * expected).epsilon(1e-13));
    CHECK(made.run.loss == doctest::Approx(10 + expected).epsilon(1e-13));
    CHECK(made.run.positions == 24);
    CHECK((made.run.seed == 3 && made.run.step == 4 && made.run.squares == 5 && made.run.all_squares == 6));
    for (int r = 0; r < 5; ++r)
      for (int c = 0; c < C; ++c) {
        constexpr double step = 1e-5;
        const double was = logits(r, c);
        logits(r, c) = was + step;
        const long double above = mean_by_definition<C>(logits, targets);
        logits(r, c) = was - step;
        const long double below = mean_by_definition<C>(logits, targets);
        logits(r, c) = was;
        CHECK(std::abs(gradient(r, c) - scale * double(above - below) / (2 * step)) < 1e-9);
      }
  }
  CHECK(logits.intact());
  CHECK(gradient.intact());
}
TEST_CASE("without a target the mean is zero, and nothing is added") {
  const std::vector<int> none{-1, -1};
  guarded_rows<float> logits(2, 3), gradient(2, 3);
  logits.fill([](int, int) { return inf; });  // never read
  gradient.fill([](int, int) { return 7; });
  for (int rows : {0, 2}) {
    sums made;
    float mean = -1;
    mean_cross_entropy<3>(reference{}, rows, logits.data(), 3, none.data(), 1.0, gradient.data(),
                          loss_numbers<float>{&made.own, &made.run, &mean});
    CHECK(mean == 0);
    CHECK((made.own.sum == 0 && made.own.count == 0));
    CHECK((made.run.loss == 10 && made.run.positions == 20));
    CHECK(gradient(1, 2) == (rows == 0 ? 7 : 0));
  }
}
TEST_CASE("a logit that is no number spoils the loss of the run, which then is not finite") {
  const std::vector<int> targets{0, 1};
  for (const double bad : {not_a_number, inf}) {
    guarded_rows<float> logits(2, 2), gradient(2, 2);
    logits(1, 0) = static_cast<float>(bad);
    sums made;
    float mean = 0;
    mean_cross_entropy<2>(reference{}, 2, logits.data(), 2, targets.data(), 1.0, gradient.data(),
                          loss_numbers<float>{&made.own, &made.run, &mean});
    CHECK(!made.run.is_finite());
    CHECK(made.run.positions == 22);
  }
}

TEST_CASE("means over positions: by weights, up to each row's end, and what each position has in them") {
  constexpr int steps = 3, rows = 4;
  noise random(2);
  const std::array<int, rows> lengths{3, 0, 1, 2};
  guarded_rows<double> values(rows, steps), counts(rows, steps), gradient(rows, steps);
  values.fill([&](int, int) { return random(); });
  counts.fill([&](int r, int t) { return (r + t) % 3 == 0 ? 0 : 0.5 + r; });
  values(1, 0) = values(2, 2) = not_a_number;  // past an end
  const operand<const double> weights{counts.data(), steps, 1};
  double sum = 0, count = 0;
  const auto is_there = [&](int r, int t) { return t < lengths[std::size_t(r)]; };
  for (int r = 0; r < rows; ++r)  // a position of count 0 has a value, too
    for (int t = 0; t < steps; ++t)
      if (is_there(r, t)) {
        sum += values(r, t);
        count += counts(r, t);
      }
  sums made;
  double mean = 0;
  mean_positions(reference{}, steps, rows, lengths.data(), operand<const double>{values.data(), steps, 1},
                 weights, 0.5, loss_numbers<double>{&made.own, &made.run, &mean});
  CHECK(made.own.count == doctest::Approx(count));
  CHECK(made.own.sum == doctest::Approx(0.5 * sum));
  CHECK(mean == doctest::Approx(0.5 * sum / count));
  CHECK(made.run.loss == doctest::Approx(10 + 0.5 * sum / count));
  CHECK(made.run.positions == doctest::Approx(20 + count));
  gradient.fill([](int, int) { return 9; });
  positions_gradient(reference{}, steps, rows, lengths.data(), 0.5, &made.own,
                     operand<double>{gradient.data(), steps, 1});
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < steps; ++t)
      CHECK(gradient(r, t) == doctest::Approx(is_there(r, t) ? 0.5 / count : 0));
  // Without lengths and weights every position is one.
  gradient.fill([](int r, int t) { return r - t; });
  mean_positions(reference{}, steps, rows, nullptr, operand<const double>{gradient.data(), steps, 1},
                 operand<const double>{nullptr, 0, 0}, 1.0,
                 loss_numbers<double>{&made.own, &made.run, &mean});
  CHECK(made.own.count == 12);
  CHECK(mean == doctest::Approx(0.5));  // of 0, 1, 2, 3 less that of 0, 1, 2
}
TEST_CASE("of no position the mean is zero, and so is each one's part in it") {
  const std::array<int, 2> ended{0, 0};
  guarded_rows<float> values(2, 1), gradient(2, 1);
  values.fill([](int, int) { return not_a_number; });
  sums made;
  float mean = 1;
  const operand<const float> all{nullptr, 0, 0};
  mean_positions(reference{}, 1, 2, ended.data(), operand<const float>{values.data(), 1, 1}, all, 1.0,
                 loss_numbers<float>{&made.own, &made.run, &mean});
  positions_gradient(reference{}, 1, 2, ended.data(), 1.0, &made.own, operand<float>{gradient.data(), 1, 1});
  CHECK((mean == 0 && made.own.sum == 0 && made.own.count == 0 && made.run.loss == 10));
  CHECK((gradient(0, 0) == 0 && gradient(1, 0) == 0));
}

TEST_CASE("dropout by the seed and the step of the run: each step and each layer has words of its own") {
  constexpr int count = 37;
  guarded_rows<float> x(1, count), y(1, count);
  x.fill([](int, int) { return 1; });
  std::vector<std::vector<float>> seen;
  for (const run_numbers& numbers :
       {run_numbers{.seed = 5}, run_numbers{.seed = 5, .step = 1}, run_numbers{.seed = 6}})
    for (std::uint64_t stream : {2u, 3u}) {
      dropout_elements(reference{}, count, 0.5, &numbers, stream, x.data(), y.data());
      random_stream words(numbers.seed, numbers.step * 65536 + stream);
      for (int k = 0; k < count; ++k) CHECK(y(0, k) == (uniform(words.word()) >= 0.5f ? 2 : 0));
      seen.emplace_back(y.data(), y.data() + count);
    }
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  CHECK(y.intact());
}

TEST_CASE("squares of pieces that are clipped together, and of all that are clipped") {
  run_numbers numbers{.loss = 1, .positions = 2};
  const std::vector<float> first{3, -4}, second{12}, third{1, 1, 1};
  sum_squares(reference{}, 2, first.data(), false, &numbers);
  CHECK((numbers.squares == 25 && numbers.all_squares == 25));
  sum_squares(reference{}, 1, second.data(), true, &numbers);
  CHECK((numbers.squares == 169 && numbers.all_squares == 169));
  sum_squares(reference{}, 3, third.data(), false, &numbers);  // the next group
  CHECK((numbers.squares == 3 && numbers.all_squares == 172));
  sum_squares(reference{}, 0, third.data(), true, &numbers);
  CHECK((numbers.squares == 3 && numbers.loss == 1 && numbers.positions == 2));
  const std::vector<float> large(4, 1e30f);  // their squares overflow a float
  sum_squares(reference{}, 4, large.data(), false, &numbers);
  CHECK(numbers.squares == doctest::Approx(4e60));
  CHECK(numbers.is_finite());
  const float bad = std::numeric_limits<float>::quiet_NaN();
  sum_squares(reference{}, 1, &bad, false, &numbers);
  CHECK(!numbers.is_finite());
}
TEST_CASE("a norm above the limit is the limit; one below it changes nothing, not a bit") {
  const run_numbers numbers{.squares = 169};
  std::vector<double> x{3, -4, 12};
  const std::vector<double> as_they_were = x;
  for (double most : {13.1, inf}) {
    scale_to_norm(reference{}, 3, most, &numbers, x.data());
    CHECK(x == as_they_were);
  }
  scale_to_norm(reference{}, 3, 2.6, &numbers, x.data());
  CHECK(std::hypot(x[0], x[1], x[2]) == doctest::Approx(2.6).epsilon(1e-6));
  CHECK(x[0] / x[2] == doctest::Approx(0.25));
  std::vector<double> nothing(3);
  const run_numbers no_slope{};  // 1e-6 in the divisor: no division by zero
  scale_to_norm(reference{}, 3, 1e-9, &no_slope, nothing.data());
  CHECK(nothing == std::vector<double>(3));
}
TEST_CASE("limits of single numbers") {
  std::vector<double> x{-3, -0.5, 0, 0.5, 3, inf, -inf, not_a_number};
  limit_elements(reference{}, 8, 0.75, x.data());
  CHECK(std::vector<double>(x.begin(), x.end() - 1) ==
        std::vector<double>{-0.75, -0.5, 0, 0.5, 0.75, 0.75, -0.75});
  CHECK(std::isnan(x.back()));
}
TEST_CASE("blocks that are scaled, and an average that follows") {
  std::vector<double> x{1, -2, 4};
  scale_elements(reference{}, 2, 0.5, x.data());
  CHECK(x == std::vector<double>{0.5, -1, 4});
  std::vector<double> average(3);
  move_towards(reference{}, 3, 1.0, x.data(), average.data());
  CHECK(average == x);
  // After n steps towards a constant number, (1 - share)^n of the distance is left.
  const std::vector<double> there{8, 8, 8};
  for (int n = 1; n <= 5; ++n) {
    move_towards(reference{}, 3, 0.25, there.data(), average.data());
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(8 - average[k] == doctest::Approx((8 - x[k]) * std::pow(0.75, n)).epsilon(1e-14));
  }
  move_towards(reference{}, 0, 1.0, x.data(), average.data());
  CHECK(average[0] != x[0]);
}

TEST_CASE("a map is done where the numbers of the run are finite, or where there are none") {
  using kernel = multiply_add<2, false>;
  const std::array<double, 4> a{1, 2, 3, 4}, b{10, 10, 10, 10}, c{1, 1, 1, 1};
  const operand<const double> loads[]{{a.data(), 2, 0}, {b.data(), 2, 0}, {c.data(), 2, 0}, {}};
  const auto done = [&](const run_numbers* numbers) {
    std::array<double, 4> y{};
    const operand<double> stores[]{{y.data(), 2, 0}, {}};
    map_if_finite<kernel>(reference{}, numbers, 1, 2, loads, stores);
    return y;
  };
  const std::array<double, 4> all{11, 21, 31, 41};
  const run_numbers fine{.loss = 1e300, .all_squares = 1e300};
  CHECK(done(nullptr) == all);
  CHECK(done(&fine) == all);
  for (double bad : {inf, -inf, not_a_number}) {
    const run_numbers loss{.loss = bad}, norm{.all_squares = bad};
    CHECK(done(&loss) == std::array<double, 4>{});
    CHECK(done(&norm) == std::array<double, 4>{});
  }
}
