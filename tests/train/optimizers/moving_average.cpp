// The average of the parameters: against PyTorch's, in a trainer, and in the validation of fit.
#include "tenon/train/optimizers/moving_average.hpp"

#include "support/compare.hpp"
#include "support/temporary_file.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/loop/fit.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace tenon::test {
using namespace nn;

// A loss whose gradient is the row's number: mean(y) of y = w * x.
struct scale : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"w">; }
};
struct sum_of {
  static constexpr auto at(auto y, auto target) { return sum(y) + 0 * sum(target); }
};
using five = graph<"five", input<"x", features<5>>, node<"y", scale, "x">, output<"y">>;
using training = trainer<five, losses::mean_loss<sum_of, "y">, optimizers::sgd>;

void step_with(training& t, const float* gradient) {
  const float nothing[5]{};
  set_input<"x">(t, view<const float>(gradient, {1, 5}, {5, 1}));
  set_input<"target">(t, view<const float>(nothing, {1, 5}, {5, 1}));
  t.step();
}

TEST_CASE("an average begins as what it follows") {
  engine::parameter_block<float> average;
  parameters<five> theta(zeros{});
  theta.data()[0] = 1;
  theta.data()[1] = -2;
  engine::follow<backend::cpu>(average, theta, 0.75, "five");
  CHECK((average.data()[0] == 1 && average.data()[1] == -2));
  theta.data()[0] = 3;
  theta.data()[1] = 2;
  engine::follow<backend::cpu>(average, theta, 0.75, "five");
  CHECK((average.data()[0] == 1.5f && average.data()[1] == -1));
}

TEST_CASE("weights and their average agree with PyTorch's AveragedModel") {
  const golden::file f = golden::read("moving_average");
  parameters<five> theta(zeros{});
  fill(get<"y.w">(theta), f["initial"]);
  training t(theta, {.learning_rate = 0.1});
  t.average_decay = 0.9;
  CHECK(get<"y.w">(std::as_const(theta))(2) == f["initial"].values[2]);
  for (std::size_t step = 0; step < 10; ++step) {
    step_with(t, f["gradients"].values.data() + 5 * step);
    const parameters<five> average = t.averaged();
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(std::abs(get<"y.w">(theta)(k) - f["weights"].values[5 * step + k]) <= 2e-7f);
      CHECK(std::abs(get<"y.w">(average)(k) - f["averages"].values[5 * step + k]) <= 2e-7f);
    }
  }
}
TEST_CASE(
    "without a decay the average is the parameters themselves, and a decay that means nothing is refused") {
  parameters<five> theta(seed{1});
  training t(theta);
  const float g[5]{1, 2, 3, 4, 5};
  step_with(t, g);
  const parameters<five> before = t.averaged();
  CHECK(get<"y.w">(before)(4) == get<"y.w">(std::as_const(theta))(4));
  for (double wrong : {1.0, -0.5, 7.0, std::numeric_limits<double>::quiet_NaN()}) {
    t.average_decay = wrong;
    CHECK_THROWS_AS(step_with(t, g), input_error);
    CHECK(get<"y.w">(before)(4) == get<"y.w">(std::as_const(theta))(4));
  }
}

using plane = graph<"plane", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
// Ten points in two classes; or five, each of them in both.
auto data(int times = 1) {
  return data_set(column<"x">(10,
                              [times](int r) {
                                const auto point = float(r / times);
                                return std::array{std::sin(point), std::cos(3 * point)};
                              }),
                  column<"target">(10, [](int r) { return r % 2; }));
}
TEST_CASE("fit validates the average where it is asked to") {
  parameters<plane> theta(seed{1});
  trainer<plane, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> t(theta, {.learning_rate = 1});
  CHECK_THROWS_WITH_AS(fit(t, data(), {.validate = data(), .validate_average = true}),
                       "fit: validate_average: there is no average; set trainer.average_decay = 0.999",
                       input_error);
  CHECK(t.steps() == 0);
  t.average_decay = 0.9;
  const double of_average =
      fit(t, data(), {.epochs = 3, .validate = data(), .validate_average = true}).last().validation_loss;
  const double of_theta = evaluate(t, data()).loss;
  CHECK(of_average != of_theta);
  const parameters<plane> last = theta;
  theta = t.averaged();
  CHECK(evaluate(t, data()).loss == of_average);
  theta = last;
}

TEST_CASE("with the best parameters comes the average that was judged with them, from a checkpoint, too") {
  using plane_training = trainer<plane, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>>;
  const temporary_folder folder;
  const auto run = [&](plane_training& t, const checkpoint* where) {
    fit_options<plane_training> options{
        .epochs = 9,
        .validate = data(2),
        .validate_average = true,
        .schedule = [](const schedules::progress& p) { return p.epoch < 3 ? 0.5 : 100; },
        .stop = early_stopping{.patience = 3}};
    if (where != nullptr) options.checkpoint = *where;
    t.average_decay = 0.5;
    return fit(t, data(2), options);
  };
  for (const bool is_saved : {false, true}) {
    const checkpoint file{folder.path + "/run.ckpt"};
    for (int again = 0; again <= is_saved; ++again) {  // the second call finds a training that has ended
      parameters<plane> theta(seed{1});
      plane_training t(theta);
      const reports::history h = run(t, is_saved ? &file : nullptr);
      REQUIRE(h.best_epoch == h.last().epoch - 3);
      const parameters<plane> average = t.averaged();
      parameters<plane> judged = average;
      plane_training judge(judged);
      CHECK(evaluate(judge, data(2)).loss == h.best().validation_loss);
    }
  }
}

}  // namespace tenon::test
