// Metrics of numbers against sums in another order, on rows and on sequences of different lengths.
#include "tenon/train/metrics_of_numbers.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/train/evaluation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {

using rows = graph<"rows", input<"x", features<2>>, node<"y", linear<3>, "x">, output<"y">>;
using steps_of = graph<"steps", input<"x", features<1>, steps<3>>, node<"y", linear<1>, "x">, output<"y">>;

double mean_of(const std::vector<double>& v) {
  double sum = 0;
  for (double a : v) sum += a;
  return sum / double(v.size());
}
// Both from all numbers at once.
double r2(const std::vector<double>& y, const std::vector<double>& target) {
  double errors = 0, distances = 0;
  for (std::size_t k = 0; k < y.size(); ++k)
    errors += std::pow(y[k] - target[k], 2), distances += std::pow(target[k] - mean_of(target), 2);
  return 1 - errors / distances;
}

TEST_CASE("rows, over two batches") {
  const parameters<rows> theta(seed{1});
  evaluation<rows, losses::mse<"y">, batch<2>> session;
  metric::mean_absolute_error<> mae;
  metric::mean_squared_error<> squared;
  metric::r_squared<> explained;
  mae.reset(), squared.reset(), explained.reset();
  std::vector<double> all, wanted, distances;
  for (float shift : {0.0f, 2.0f}) {
    const std::vector<float> x{1 + shift, -2, 0.5f, shift}, target{1, 2, 3, shift, 0, -1};
    set_input<"x">(session, x), set_input<"target">(session, target);
    session.add(theta);
    mae.add(session), squared.add(session), explained.add(session);
    for (float y : get<"y">(session)) all.push_back(double(y));
    for (float y : target) wanted.push_back(double(y));
  }
  for (std::size_t k = 0; k < all.size(); ++k) distances.push_back(std::abs(all[k] - wanted[k]));
  CHECK(mae.value() == doctest::Approx(mean_of(distances)).epsilon(1e-9));
  CHECK(explained.value() == doctest::Approx(r2(all, wanted)).epsilon(1e-9));
  for (double& d : distances) d *= d;
  CHECK(squared.value() == doctest::Approx(mean_of(distances)).epsilon(1e-9));
  CHECK(squared.value() == doctest::Approx(session.loss()).epsilon(1e-6));
  explained.reset(), mae.reset(), squared.reset();
  CHECK(squared.value() == 0);
  CHECK(explained.value() == 0);
  CHECK(mae.value() == 0);
}
TEST_CASE("of targets that are all alike what is right is all of it, and what is wrong nothing") {
  parameters<rows> theta(zeros{});
  get<"y.bias">(theta)(0) = 3, get<"y.bias">(theta)(1) = 3, get<"y.bias">(theta)(2) = 3;
  evaluation<rows, losses::mse<"y">, batch<2>> session;
  metric::r_squared<> explained;
  for (const float target : {3.0f, 2.0f}) {
    explained.reset();
    set_input<"x">(session, std::vector<float>{1, 2, 3, 4}),
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
