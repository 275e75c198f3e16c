// Steps at rising learning rates: their losses equal those of a loop by hand, and the trainer is restored to the bit.
#include "tenon/train/loop/rate_range.hpp"

#include "support/drawing.hpp"
#include "support/temporary_file.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>

namespace tenon::test {
using namespace nn;

using plane = graph<"plane", input<"x", features<2>>,
                    node<"logits", chain<linear<8>, activation::relu, dropout<0.25>, linear<2>>, "x">,
                    output<"logits">>;
using plane_trainer = trainer<plane, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;
constexpr int rows = 10;
std::array<float, 2> point(int r) {
  return {std::sin(static_cast<float>(r)), std::cos(static_cast<float>(3 * r))};
}
auto data(int count = rows, float scale = 1) {
  return data_set(column<"x">(count,
                              [scale](int r) {
                                return std::array{scale * point(r)[0], scale * point(r)[1]};
                              }),
                  column<"target">(count, [](int r) { return r % 2; }));
}
std::vector<float> numbers(const parameters<plane>& theta) {
  return {theta.data(), theta.data() + theta.block_size};
}
schedules::rate_curve curve_of(std::vector<double> smoothed) {
  schedules::rate_curve curve;
  for (const double s : smoothed)
    curve.points.push_back({1e-4 * std::pow(10, 0.5 * static_cast<double>(curve.points.size())), 2 * s, s});
  return curve;
}

TEST_CASE("rates rise by one factor, losses are those of a loop by hand") {
  parameters<plane> theta(seed{1}), other(seed{1});
  plane_trainer t(theta, {}, seed{3}), by_hand(other, {}, seed{3});
  const schedules::rate_curve curve = schedules::rate_range_test(
      t, data(), {.low = 1e-4, .high = 1e-1, .steps = 7, .smoothing = 0.5, .shuffle = seed{5}});
  REQUIRE(curve.points.size() == 7);
  CHECK(!curve.is_diverged);
  std::vector<double> losses;
  for (int epoch = 1; losses.size() < 7; ++epoch)
    for_each_batch(shuffled(rows, seed{5}, epoch), 4, [&](std::span<const int> batch) {
      if (losses.size() == 7) return;
      by_hand.optimizer().learning_rate = curve.points[losses.size()].rate;
      data().set_inputs(by_hand, batch);
      losses.push_back(static_cast<double>(by_hand.step()));
    });
  for (std::size_t k = 0; k < 7; ++k) {
    CHECK(curve.points[k].rate == doctest::Approx(1e-4 * std::pow(10, 0.5 * static_cast<double>(k))));
    CHECK(curve.points[k].loss == losses[k]);
    double sum = 0, weights = 0;  // the mean by its definition
    for (std::size_t j = 0; j <= k; ++j) {
      const double weight = std::pow(0.5, static_cast<double>(k - j));
      sum += weight * losses[j];
      weights += weight;
    }
    CHECK(curve.points[k].smoothed == doctest::Approx(sum / weights));
  }
}
TEST_CASE("parameters, states, rate and steps are what they were, and so is all that follows") {
  parameters<plane> theta(seed{1}), other(seed{1});
  plane_trainer t(theta, {.learning_rate = 2e-2}, seed{3}),
      untouched(other, {.learning_rate = 2e-2}, seed{3});
  fit(t, data(), {.epochs = 1});
  fit(untouched, data(), {.epochs = 1});
  const std::vector<float> before = numbers(theta);
  const auto weight = get<"logits.0.weight">(theta);
  const schedules::rate_curve curve = schedules::rate_range_test(t, data());
  CHECK(curve.points.size() > 10);
  CHECK(numbers(theta) == before);
  CHECK(weight(0, 0) == before[0]);  // a view stays valid
  CHECK(t.steps() == 3);
  CHECK(t.optimizer().learning_rate == 2e-2);
  fit(t, data(), {.epochs = 2});
  fit(untouched, data(), {.epochs = 2});
  CHECK(numbers(theta) != before);
  CHECK(numbers(theta) == numbers(other));
}
TEST_CASE("it ends where the smoothed loss exceeds the lowest by a factor") {
  parameters<plane> theta(seed{1});
  plane_trainer t(theta);
  const std::vector<float> before = numbers(theta);
  const schedules::rate_curve curve = schedules::rate_range_test(
      t, data(), {.low = 1e-3, .high = 1e3, .steps = 60, .smoothing = 0.5, .divergence = 3});
  CHECK(curve.is_diverged);
  CHECK(curve.points.size() < 60);
  double lowest = curve.points[0].smoothed;
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    lowest = std::min(lowest, curve.points[k].smoothed);
    CHECK((curve.points[k].smoothed > 3 * lowest) == (k + 1 == curve.points.size()));
  }
  CHECK(numbers(theta) == before);
}
struct less_a_number {  // the squared error minus a constant
  static constexpr auto at(auto y, auto target) { return mean((y - target) * (y - target)) - 1000; }
};
TEST_CASE("negative losses, too, may fall before they diverge") {
  using line = graph<"line", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
  parameters<line> theta(seed{1});
  trainer<line, losses::mean_loss<less_a_number, "y">, optimizers::sgd, batch<8>> t(theta);
  const auto line_of =
      data_set(column<"x">(8, [](int r) { return std::array{static_cast<float>(r)}; }),
               column<"target">(8, [](int r) { return std::array{3 * static_cast<float>(r)}; }));
  const schedules::rate_curve curve =
      schedules::rate_range_test(t, line_of, {.low = 1e-4, .high = 10, .steps = 200, .smoothing = 0.5});
  CHECK(curve.points.size() > 20);
  CHECK(curve.points[10].smoothed < curve.points[0].smoothed);
  CHECK(curve.is_diverged);
  for (const detail::rate_point& p : curve.points)
    if (&p != &curve.points.back()) CHECK(p.smoothed < 2200);  // 3 times the size above the lowest
  CHECK(curve.points.back().smoothed > 1900);
  CHECK(count(curve.svg(), "<polyline") >= 2);
}
TEST_CASE("a loss that is no longer finite ends it; where it never was, that is an error") {
  using line = graph<"line", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
  const auto points_of = [](float scale) {
    return data_set(column<"x">(8, [scale](int r) { return std::array{scale * static_cast<float>(r)}; }),
                    column<"target">(8, [](int r) { return std::array{static_cast<float>(r)}; }));
  };
  parameters<line> theta(seed{1});
  trainer<line, losses::mse<"y">, optimizers::sgd, batch<8>> t(theta);
  const std::vector<float> before(theta.data(), theta.data() + theta.block_size);
  const schedules::rate_curve curve = schedules::rate_range_test(
      t, points_of(1), {.low = 1e30, .high = 1e31, .steps = 5, .divergence = 1e200});
  CHECK(curve.is_diverged);
  CHECK(curve.points.size() < 3);
  CHECK(std::vector<float>(theta.data(), theta.data() + theta.block_size) == before);
  CHECK_THROWS_AS(schedules::rate_range_test(t, points_of(1e30f)), training_error);
  CHECK_THROWS_AS(schedules::rate_range_test(t, points_of(1).part(std::vector<int>{})), input_error);
  CHECK(std::vector<float>(theta.data(), theta.data() + theta.block_size) == before);
  CHECK(t.steps() == 0);
}
TEST_CASE("options that mean nothing are refused") {
  parameters<plane> theta(seed{1});
  plane_trainer t(theta);
  const auto test = [&](const schedules::rate_range_options& options) {
    return schedules::rate_range_test(t, data(), options);
  };
  CHECK_THROWS_WITH_AS(test({.low = 0}), "rate_range_test: expected a lowest rate above 0, got 0",
                       input_error);
  CHECK_THROWS_WITH_AS(test({.low = 2, .high = 1}),
                       "rate_range_test: expected a highest rate above the lowest, got 1", input_error);
  CHECK_THROWS_WITH_AS(test({.steps = 2}), "rate_range_test: expected at least 3 steps, got 2", input_error);
  CHECK_THROWS_WITH_AS(test({.smoothing = 1}),
                       "rate_range_test: expected a smoothing of at least 0 and below 1, got 1", input_error);
  CHECK_THROWS_WITH_AS(test({.divergence = 1}), "rate_range_test: expected a divergence above 1, got 1",
                       input_error);
}
TEST_CASE("the steepest fall is in the middle of three points, the lowest loss where it is") {
  const schedules::rate_curve curve = curve_of({4, 3.9, 3.6, 2.6, 1.5, 1.2, 1.1, 3, 9});
  CHECK(curve.steepest() == curve.points[3].rate);
  CHECK(curve.lowest() == curve.points[6].rate);
  // The first tenth is left out.
  std::vector<double> long_one(30, 2);
  long_one[0] = 9;
  long_one[12] = 1.5;
  CHECK(curve_of(long_one).steepest() == curve_of(long_one).points[11].rate);
  CHECK_THROWS_WITH_AS(curve_of({1, 2, 3}).steepest(),
                       "rate_range_test: the loss falls at none of 3 rates; try more steps, or other rates",
                       input_error);
  CHECK_THROWS_WITH_AS(schedules::rate_curve{}.lowest(), "rate_range_test: no step was taken", input_error);
}
TEST_CASE("a test that diverges is drawn up to the loss from which it fell, or to three times the least") {
  const std::string fell = curve_of({4, 3.9, 2, 1, 1.1, 1e6, 1e9}).svg();
  CHECK(count(fell, ">4<") == 1);
  CHECK(count(fell, ">6<") == 0);
  CHECK(points(fell, 1).back().second == 52);  // cut off at the top
  const std::string rose = curve_of({1, 1.01, 1.02, 1.5, 100, 1e12}).svg();
  CHECK(count(rose, ">3<") == 1);
  CHECK(count(rose, ">4<") == 0);
  CHECK(count(curve_of({-1, -2, -3, 5, 1e9}).svg(), ">-4<") == 1);
}
TEST_CASE("a drawing is as it was looked at") {
  schedules::rate_curve curve;
  for (int k = 0; k < 60; ++k) {
    const double rate = 1.1e-6 * std::pow(10, 0.1037 * k), fall = 1.83 * rate / (rate + 0.0023);
    const double grown = rate < 0.4 ? 0 : std::pow(10, 7 * std::log10(rate / 0.4)) - 1,
                 smoothed = 2.31 - fall + grown;
    curve.points.push_back({rate, smoothed + 0.13 * std::sin(1.9 * k) + grown, smoothed});
  }
  CHECK(is_as_drawn("rate_curve.svg", curve.svg()));
}
TEST_CASE("a curve is CSV, and a drawing over the logarithm of the rate") {
  const schedules::rate_curve curve = curve_of({4, 3, 1, 8});
  CHECK(curve.csv() ==
        "step,rate,loss,smoothed\n1,0.0001,8,4\n2,0.000316228,6,3\n3,0.001,2,1\n4,0.00316228,16,8\n");
  const std::string svg = curve.svg();
  CHECK(is_well_formed(svg));
  CHECK(count(svg, "<polyline") == 2);
  CHECK(count(svg, ">suggested, where it falls most steeply: 0.00032<") == 1);
  for (const char* part : {">learning rate<", ">loss<", ">each step<", ">smoothed<",
                           ">Learning rate range test<", ">0.0001<", ">0.001<"})
    CHECK(count(svg, part) == 1);
  const auto smoothed = points(svg, 1);
  REQUIRE(smoothed.size() == 4);
  CHECK(smoothed[1].first - smoothed[0].first ==
        doctest::Approx(smoothed[2].first - smoothed[1].first).epsilon(1e-2));
  CHECK(count(curve_of({4, 4, 4, 4, 4, 4, 4}).svg(), "steeply") == 0);
  CHECK(count(curve_of({4, 3, 3, 3, 3, 3, 3}).svg(), ">0.01<") == 1);  // decades
  CHECK(is_well_formed(schedules::rate_curve{}.svg()));
  const file_with place("the curve");
  for (const char* ending : {".csv", ".svg"}) {
    const std::string path = place.path + ending;
    curve.save(path);
    CHECK(contents(path) == (ending[1] == 'c' ? curve.csv() : curve.svg()));
    std::remove(path.c_str());
  }
  const std::string path = place.path + ".png", table = path + ".csv";
  CHECK_THROWS_WITH_AS(curve.save(path),
                       ("rate_range_test: expected a file name that ends in .csv or .svg, got '" + path +
                        "'; the table is in '" + table + "'")
                           .c_str(),
                       input_error);
  CHECK(contents(table) == curve.csv());
  std::remove(table.c_str());
}

}  // namespace tenon::test
