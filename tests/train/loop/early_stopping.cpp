// Early stopping: when it ends a training.
#include "tenon/train/loop/early_stopping.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics_of_numbers.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

// How many of these losses are used before the training ends.
std::size_t epochs_of(const early_stopping& options, const std::vector<double>& losses) {
  engine::stopping_rule rule(options);
  std::size_t seen = 0;
  for (double loss : losses) {
    rule.look_at(loss);
    ++seen;
    if (!rule.continues()) break;
  }
  return seen;
}
const double nan = std::nan("");

TEST_CASE("the patience-th epoch in a row without improvement is the last") {
  CHECK(epochs_of({.patience = 2}, {3, 2, 2, 1, 1.5, 1, 0, 0}) == 6);
  CHECK(epochs_of({.patience = 1}, {3, 2, 2, 1, 1}) == 3);
  CHECK(epochs_of({.patience = 3}, {3, 3, 3, 2, 2, 2, 1, 1, 1}) == 9);  // it never waits for three
  CHECK(epochs_of({}, {1, 1, 1, 1, 1, 1, 1}) == 6);
}
TEST_CASE("less than the least improvement is none, and the best stays") {
  CHECK(epochs_of({.patience = 2, .min_delta = 0.5}, {3, 2.75, 2.5, 2.25}) == 3);
  CHECK(epochs_of({.patience = 2, .min_delta = 0.5}, {3, 2.75, 2.25, 2, 1.5}) == 5);
}
TEST_CASE("a loss that is not a number is no better, and the next that is one is") {
  CHECK(epochs_of({.patience = 2}, {nan, nan, 1}) == 2);
  CHECK(epochs_of({.patience = 3}, {nan, nan, 1, 2, nan, 3, 0}) == 6);
}
TEST_CASE("a patience below 1 and a negative least improvement are errors") {
  const auto refused = [](const early_stopping& options, const char* message) {
    CHECK_THROWS_WITH_AS(engine::stopping_rule{options}, message, input_error);
  };
  refused({.patience = 0}, "early_stopping: expected a patience of at least 1, got 0");
  refused({.min_delta = -0.5}, "early_stopping: expected a finite min_delta of at least 0, got -0.500000");
  refused({.min_delta = nan}, "early_stopping: expected a finite min_delta of at least 0, got nan");
  refused({.min_delta = std::numeric_limits<double>::infinity()},
          "early_stopping: expected a finite min_delta of at least 0, got inf");
}

// y = w x + b learns 2 x + 1 and forgets it again: the targets change from the fourth epoch on.
using line = graph<"line", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
constexpr int points = 8;
auto points_of(float slope) {
  return data_set(column<"x">(points, [](int r) { return float(r) / points; }),
                  column<"target">(points, [=](int r) { return slope * float(r) / points + 1; }));
}
struct fitted_line {
  std::vector<double> errors{};  // MAE and MSE by hand, after each epoch; R2 is highest where MSE is lowest
  std::vector<float> weights{};
  reports::history h{};
  float kept = 0;

  explicit fitted_line(const std::string& watched) {
    parameters<line> theta(zeros{});
    trainer<line, losses::mse<"y">, optimizers::sgd, batch<points>> t(theta, {.learning_rate = 0.5});
    float slope = 2;
    const auto changing =
        data_set(column<"x">(points, [](int r) { return float(r) / points; }),
                 column<"target">(points, [&](int r) { return slope * float(r) / points + 1; }));
    h = fit(t, changing,
            {.epochs = 30,
             .validate = points_of(2),
             .metrics = {metric::mean_absolute_error{}, metric::mean_squared_error{}, metric::r_squared{}},
             .stop = early_stopping{.patience = 3, .metric = watched},
             .after_epoch =
                 [&](const reports::epoch& e) {
                   if (e.epoch == 4) slope = -9;
                   const float w = get<"y.weight">(theta)(0, 0), b = get<"y.bias">(theta)(0);
                   double sum = 0;
                   for (int r = 0; r < points; ++r) {
                     const double x = double(r) / points,
                                  off = std::abs(double(w) * x + double(b) - (2 * x + 1));
                     sum += watched == "MAE" ? off : off * off;
                   }
                   errors.push_back(sum / points);
                   weights.push_back(w);
                 },
             .log = nullptr});
    kept = get<"y.weight">(theta)(0, 0);
  }
};
TEST_CASE("by MAE and MSE the lowest is kept, by R2 the highest: nobody says so but the metric") {
  for (const char* watched : {"MAE", "MSE", "R2"}) {
    const fitted_line f(watched);
    CAPTURE(watched);
    REQUIRE(f.h.epochs.size() == 7);
    CHECK(f.h.best_epoch == 4);
    for (std::size_t k = 0; k < f.errors.size(); ++k) CHECK(f.errors[3] <= f.errors[k]);
    CHECK(f.errors[6] > f.errors[0]);  // the worst is a different one, and is not kept
    CHECK(f.kept == f.weights[3]);
    CHECK(f.h.epochs.back().metrics[2] < f.h.best().metrics[2]);
  }
}

}  // namespace tenon::test
