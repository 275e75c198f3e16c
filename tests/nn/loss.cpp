// Losses as equations: their values against the textbook's formula in double, their gradients against differences, over rows
// and over sequences with lengths; parts of a batch.
#include "tenon/nn/loss.hpp"

#include "nn/loss_case.hpp"
#include "support/machines.hpp"
#include "tenon/nn/pooling.hpp"
#include "tenon/train/optimizers/rule.hpp"
#include "tenon/train/trainer/shards.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

using formula = std::function<double(double y, double t)>;
template <class M, class Loss>
void check_values(const formula& each) {
  using T = typename M::scalar;
  typename M::template parameters<sequences> theta(seed{4});
  typename M::template differentiation<sequences, Loss, batch<rows + 1>>
      run;  // a row of the batch stays empty
  for (const std::vector<int>& lengths : {std::vector<int>{4, 0, 2}, {4, 4, 4}, {0, 0, 0}}) {
    feed_sequences(run, lengths);
    const double got = run.forward(theta);
    const auto y = get<"y">(run);
    double sum = 0;
    int positions = 0;
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < lengths[std::size_t(r)]; ++t, ++positions)
        for (int j = 0; j < width; ++j)
          sum += each(double(y(std::size_t(r), std::size_t(t), std::size_t(j))),
                      double(T(noise(7 * ((r * bound + t) * width + j) + 1)))) /
                 width;
    CHECK(got == doctest::Approx(positions > 0 ? sum / positions : 0).epsilon(2e-6));
  }
}
double log_sigmoid(double y) { return -std::log1p(std::exp(-y)); }

}  // namespace

TEST_CASE_TEMPLATE("losses are means over the features of all steps", M, oracle, processor) {
  check_values<M, losses::mse<"y">>([](double y, double t) { return (y - t) * (y - t); });
  check_values<M, losses::l1<"y">>([](double y, double t) { return std::abs(y - t); });
  check_values<M, losses::huber<"y", "target", 0.4>>([](double y, double t) {
    const double d = std::abs(y - t);
    return d <= 0.4 ? d * d / 2 : 0.4 * (d - 0.2);
  });
  check_values<M, losses::bce_with_logits<"y">>(
      [](double y, double t) { return -t * log_sigmoid(y) - (1 - t) * log_sigmoid(-y); });
  check_values<M, losses::scaled<3, losses::l1<"y">>>([](double y, double t) { return 3 * std::abs(y - t); });
  check_values<M, losses::sum_of<losses::l1<"y">, losses::scaled<0.5, losses::mse<"y">>>>(
      [](double y, double t) { return std::abs(y - t) + (y - t) * (y - t) / 2; });
}

TEST_CASE("gradients of losses are differences") {
  check_gradients_of<losses::mse<"y">>();
  check_gradients_of<losses::l1<"y">>();
  check_gradients_of<losses::huber<"y", "target", 0.4>>();
  check_gradients_of<losses::bce_with_logits<"y">>();
}

TEST_CASE("the loss of a million positions is right to 1e-7") {
  using G = graph<"long", input<"x", features<1>, steps<1000>>, node<"y", linear<1>, "x">, output<"y">>;
  parameters<G> theta(zeros{});  // zeros: each error is 0.1f
  differentiation<G, losses::l1<"y">, batch<1000>> run;
  const std::vector<float> x(1'000'000, 1), target(1'000'000, 0.1f);
  set_input<"x">(run, view<const float>(x.data(), {1000, 1000, 1}, {1000, 1, 1}));
  set_input<"target">(run, view<const float>(target.data(), {1000, 1000, 1}, {1000, 1, 1}));
  CHECK(std::abs(double(run.forward(theta)) / double(0.1f) - 1) <= 1e-7);
}

// Logits of 100 and -100: nothing is lost, nothing overflows; at 0 the slope is 1/2 - t.
TEST_CASE("binary cross-entropy of large logits") {
  using G = graph<"logit", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
  parameters<G> theta(zeros{});
  get<"y.weight">(theta)(0, 0) = 1;
  differentiation<G, losses::bce_with_logits<"y">, batch<1>, input_gradients> run;
  const auto at = [&](float y, float t) {
    parameters<G> gradients(zeros{});
    set_input<"x">(run, std::vector<float>{y});
    set_input<"target">(run, std::vector<float>{t});
    const float loss = run.forward(theta);
    run.backward(theta, gradients);
    return std::pair{double(loss), double(input_gradient<"x">(run)(0, 0))};
  };
  CHECK(at(100, 1).first == doctest::Approx(0));
  CHECK(at(100, 0) == std::pair{100.0, 1.0});
  CHECK(at(-100, 1) == std::pair{100.0, -1.0});
  CHECK(at(20, 1).first == doctest::Approx(2.0611536e-9).epsilon(1e-5));
  CHECK(at(-20, 0).first == doctest::Approx(2.0611536e-9).epsilon(1e-5));
  CHECK(at(0, 1).first == doctest::Approx(std::log(2.0)).epsilon(1e-6));
  CHECK(at(0, 1).second == -0.5);
  CHECK(at(0, 0).second == 0.5);
}

TEST_CASE("parts of a batch make the mean of the whole") {
  const std::vector<int> lengths{4, 1, 2};
  using objective = losses::sum_of<losses::mse<"y">, losses::huber<"y">>;
  parameters<sequences> theta(seed{4}), same(seed{4});
  trainer<sequences, objective, optimizers::sgd, batch<rows>> whole(theta, {.learning_rate = 0.1});
  trainer<sequences, objective, optimizers::sgd, batch<rows>, shards<3>> parts(same, {.learning_rate = 0.1});
  for (int step = 0; step < 3; ++step) {
    feed_sequences(whole, lengths);
    feed_sequences(parts, lengths);
    CHECK(double(whole.step()) == doctest::Approx(double(parts.step())).epsilon(1e-5));
  }
  for (int k = 0; k < parameters<sequences>::block_size; ++k)
    CHECK(double(std::as_const(theta).data()[k]) ==
          doctest::Approx(double(std::as_const(same).data()[k])).epsilon(1e-5));
}

// A loss of a value without steps counts rows.
TEST_CASE("the loss of a pooled sequence is a mean over rows") {
  using G = graph<"pooled", input<"x", features<1>, steps<3>>, node<"y", mean_over<>, "x">, output<"y">>;
  const parameters<G> theta(zeros{});
  differentiation<G, losses::mse<"y">, batch<2>> run;
  const std::vector<float> x{1, 2, 3, 5, 0, 0};
  set_input<"x">(run, view<const float>(x.data(), {2, 3, 1}, {3, 1, 1}), std::vector<int>{3, 1});
  set_input<"target">(run, std::vector<float>{0, 2});
  CHECK(run.forward(theta) == doctest::Approx((4 + 9) / 2.0).epsilon(1e-6));
}

}  // namespace tenon::test
