// Metrics of numbers against sums in another order, on rows and on sequences of different lengths.
#include "tenon/train/metrics/metrics_of_numbers.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/train/trainer/evaluation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

using rows = graph<"rows", input<"x", features<2>>, node<"y", linear<3>, "x">, output<"y">>;
using steps_of = graph<"steps", input<"x", features<1>, steps<3>>, node<"y", linear<1>, "x">, output<"y">>;

double mean_of(const std::vector<double>& v) {
  double sum = 0;
  for (double a : v) sum += a;
  return sum / double(v.size());
}
// Both computed from all numbers at once.
double r2(const std::vector<double>& y, const std::vector<double>& target) {
  double errors = 0, distances = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    errors += std::pow(y[k] - target[k], 2);
    distances += std::pow(target[k] - mean_of(target), 2);
  }
  return 1 - errors / distances;
}

TEST_CASE("rows, over two batches") {
  const parameters<rows> theta(seed{1});
  evaluation<rows, losses::mse<"y">, batch<2>> session;
  metric::mean_absolute_error<> mae;
  metric::mean_squared_error<> squared;
  metric::r_squared<> explained;
  mae.reset();
  squared.reset();
  explained.reset();
  std::vector<double> all, wanted, distances;
  for (float shift : {0.0f, 2.0f}) {
    const std::vector<float> x{1 + shift, -2, 0.5f, shift}, target{1, 2, 3, shift, 0, -1};
    set_input<"x">(session, x);
    set_input<"target">(session, target);
    session.add(theta);
    mae.add(session);
    squared.add(session);
    explained.add(session);
    for (float y : get<"y">(session)) all.push_back(double(y));
    for (float y : target) wanted.push_back(double(y));
  }
  for (std::size_t k = 0; k < all.size(); ++k) distances.push_back(std::abs(all[k] - wanted[k]));
  CHECK(mae.value() == doctest::Approx(mean_of(distances)).epsilon(1e-9));
  CHECK(explained.value() == doctest::Approx(r2(all, wanted)).epsilon(1e-9));
  for (double& d : distances) d *= d;
  CHECK(squared.value() == doctest::Approx(mean_of(distances)).epsilon(1e-9));
  CHECK(squared.value() == doctest::Approx(session.loss()).epsilon(1e-6));
  explained.reset();
  mae.reset();
  squared.reset();
  CHECK(squared.value() == 0);
  CHECK(explained.value() == 0);
  CHECK(mae.value() == 0);
}
TEST_CASE("with a unit they are errors of the numbers that were standardised") {
  const parameters<rows> theta(seed{1});
  evaluation<rows, losses::mse<"y">, batch<2>> session;
  set_input<"x">(session, std::vector<float>{1, -2, 0.5f, 3});
  set_input<"target">(session, std::vector<float>{1, 2, 3, -1, 0, -1});
  session.add(theta);
  const auto of = [&](auto metric) {
    metric.reset();
    metric.add(session);
    const double first = metric.value();
    metric.reset();
    metric.add(session);  // the unit stays
    CHECK(metric.value() == first);
    return first;
  };
  double off_by = 0, squared = 0;
  const std::vector<double> target{1, 2, 3, -1, 0, -1};
  for (std::size_t k = 0; k < 6; ++k) {  // of 30 y + 5 beside 30 target + 5
    const double y = 30 * double(get<"y">(session)(k / 3, k % 3)) + 5, wanted = 30 * target[k] + 5;
    off_by += std::abs(y - wanted) / 6;
    squared += (y - wanted) * (y - wanted) / 6;
  }
  CHECK(of(metric::mean_absolute_error<>{30}) == doctest::Approx(off_by));
  CHECK(of(metric::mean_squared_error<>{30}) == doctest::Approx(squared));
  CHECK(of(metric::mean_absolute_error{30.0}) == doctest::Approx(off_by));
  CHECK(of(metric::mean_absolute_error<>{}) == of(metric::mean_absolute_error<>{1}));
  const metric::mean_absolute_error<> in_braces = {30.0};
  CHECK(of(in_braces) == doctest::Approx(off_by));
  constexpr metric::mean_squared_error<> constant(0.5);
  CHECK(of(constant) == doctest::Approx(squared / 3600));
  CHECK(metric::mean_absolute_error<>{30}.name() == "MAE");
  CHECK(metric::mean_squared_error<>{30}.name() == "MSE");
}
TEST_CASE("a unit that is none") {
  CHECK_THROWS_WITH_AS(
      metric::mean_absolute_error<>{0.0},
      "metric::mean_absolute_error: expected a unit that is finite and above 0, got 0.000000", input_error);
  CHECK_THROWS_WITH_AS(
      metric::mean_squared_error<>{-2.0},
      "metric::mean_squared_error: expected a unit that is finite and above 0, got -2.000000", input_error);
  CHECK_THROWS_AS(metric::mean_absolute_error<>{std::nan("")}, input_error);
  CHECK_THROWS_AS(metric::mean_squared_error<>{HUGE_VAL}, input_error);
}
TEST_CASE("of targets that are all alike what is right is all of it, and what is wrong nothing") {
  parameters<rows> theta(zeros{});
  get<"y.bias">(theta)(0) = 3;
  get<"y.bias">(theta)(1) = 3;
  get<"y.bias">(theta)(2) = 3;
  evaluation<rows, losses::mse<"y">, batch<2>> session;
  metric::r_squared<> explained;
  for (const float target : {3.0f, 2.0f}) {
    explained.reset();
    set_input<"x">(session, std::vector<float>{1, 2, 3, 4});
    set_input<"target">(session, std::vector(6, target));
    session.add(theta);
    explained.add(session);
    CHECK(explained.value() == (target == 3 ? 1 : 0));
  }
}
TEST_CASE("steps past a sequence's end are left out") {
  const parameters<steps_of> theta(seed{2});
  evaluation<steps_of, losses::mse<"y">, batch<2>> session;
  const std::vector<float> x{1, 2, 3, 4, 5, 6}, target{3, 2, 99, 1, 0, 5};
  const std::vector<int> lengths{2, 3};
  set_input<"x">(session, view<const float>(x.data(), {2, 3, 1}, {3, 1, 1}), lengths);
  set_input<"target">(session, view<const float>(target.data(), {2, 3, 1}, {3, 1, 1}), lengths);
  session.add(theta);
  metric::r_squared<> explained;
  explained.reset();
  explained.add(session);
  const auto y = get<"y">(session);
  CHECK(explained.value() == doctest::Approx(r2({double(y(0, 0, 0)), double(y(0, 1, 0)), double(y(1, 0, 0)),
                                                 double(y(1, 1, 0)), double(y(1, 2, 0))},
                                                {3, 2, 1, 0, 5}))
                                 .epsilon(1e-6));
}

}  // namespace tenon::test
