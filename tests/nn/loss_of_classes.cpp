// Losses whose targets are classes, against the formula in long double: weights of classes, smoothed labels, an ignored
// class, positions without a target, over rows and over sequences; gradients by differences.
#include "support/machines.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/activation.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/train/gradient_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int rows = 3, bound = 4, classes = 4;
using tagger =
    graph<"tagger", input<"x", features<3>, steps<bound>>, node<"y", linear<classes>, "x">, output<"y">>;

// Easy positions count for little (Lin et al. 2017).
struct focal {
  static constexpr auto at(auto logits, auto target) {
    const auto log_p = pick(log_softmax(logits), target);
    const auto there = greater(target, -0.5);
    return with<"count">(-square(1 - exp(log_p)) * log_p * there, there);
  }
};

const std::vector<int> lengths{4, 1, 3};
const std::vector<std::vector<int>> targets{{0, 3, -1, 1}, {2}, {1, 1, 0}};
template <class Session>
void feed(Session& run) {
  using T = typename Session::T;
  std::vector<T> x;
  for (int k = 0; k < rows * bound * 3; ++k) x.push_back(T(2 * std::sin(1.7 * k + 0.3)));
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, 3}, {bound * 3, 3, 1}), lengths);
  set_input<"target">(run, targets);
}

struct expected_loss {
  std::vector<double> weights{1, 1, 1, 1};
  double smoothing = 0;
  int ignored = -1;

  // By PyTorch's definition, over the logits that the session shows.
  template <class View>
  double of(const View& y) const {
    long double sum = 0, all = 0;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t t = 0; t < targets[r].size(); ++t) {
        const int target = targets[r][t];
        if (target < 0 || target == ignored) continue;
        long double total = 0;
        for (std::size_t c = 0; c < classes; ++c) total += std::exp(static_cast<long double>(y(r, t, c)));
        const auto log_p = [&](std::size_t c) {
          return std::log(std::exp(static_cast<long double>(y(r, t, c))) / total);
        };
        const auto of_target = static_cast<std::size_t>(target);
        sum -= (1 - smoothing) * weights[of_target] * log_p(of_target);
        for (std::size_t c = 0; c < classes; ++c) sum -= smoothing / classes * weights[c] * log_p(c);
        all += weights[of_target];
      }
    return static_cast<double>(sum / all);
  }
};

template <class M, class Loss>
void check_value(const expected_loss& expected) {
  using T = typename M::scalar;
  const typename M::template parameters<tagger> theta(seed{5});
  typename M::template differentiation<tagger, Loss, batch<rows + 1>> run;
  feed(run);
  const double got = run.forward(theta);
  CHECK(got == doctest::Approx(expected.of(get<"y">(run))).epsilon(sizeof(T) == 4 ? 2e-6 : 1e-12));
}
template <class Loss>
void check_gradient() {
  const reports::gradients report =
      check_gradients<tagger, Loss, rows>([](auto& run) { feed(run); }, seed{5});
  INFO(report);
  CHECK(report);
}

using weighted = losses::cross_entropy<"y", "target", losses::class_weights<0.5, 2, 1, 3>>;
using smoothed = losses::cross_entropy<"y", "target", losses::label_smoothing<0.2>>;
using without_ones = losses::cross_entropy<"y", "target", losses::ignored<1>>;
// Rows of the first and the last class have no weight, and keep what the smoothing adds.
using without_weight =
    losses::cross_entropy<"y", "target", losses::class_weights<0, 2, 1, 0>, losses::label_smoothing<0.1>>;
using all_of_them = losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>,
                                          losses::class_weights<0.5, 2, 1, 3>, losses::ignored<1>>;

}  // namespace

TEST_CASE_TEMPLATE("cross-entropy with its options is PyTorch's", M, oracle, processor) {
  check_value<M, losses::cross_entropy<"y">>({});
  check_value<M, weighted>({.weights = {0.5, 2, 1, 3}});
  check_value<M, smoothed>({.smoothing = 0.2});
  check_value<M, without_ones>({.ignored = 1});
  check_value<M, without_weight>({.weights = {0, 2, 1, 0}, .smoothing = 0.1});
  check_value<M, all_of_them>({.weights = {0.5, 2, 1, 3}, .smoothing = 0.1, .ignored = 1});
}

TEST_CASE("gradients of losses of classes are differences") {
  check_gradient<weighted>();
  check_gradient<without_weight>();
  check_gradient<all_of_them>();
  check_gradient<losses::mean_loss_of_classes<focal, "y">>();
  check_gradient<losses::multi_margin<"y", "target", 0.7>>();
}

// Two forms of the same loss: the negative log-likelihood of a log-softmax, and the cross-entropy of its argument.
TEST_CASE("negative log-likelihood") {
  using G = graph<"likely", input<"x", features<3>, steps<bound>>, node<"y", linear<classes>, "x">,
                  node<"log_p", activation::log_softmax, "y">, output<"log_p">, output<"y">>;
  const parameters<G, double> theta(seed{5});
  parameters<G, double> gradients(zeros{}), others(zeros{});
  differentiation<G, losses::nll<"log_p">, batch<rows>, scalar_type<double>> likelihood;
  differentiation<G, losses::cross_entropy<"y">, batch<rows>, scalar_type<double>> entropy;
  feed(likelihood);
  feed(entropy);
  CHECK(likelihood.forward(theta) == doctest::Approx(entropy.forward(theta)).epsilon(1e-12));
  likelihood.backward(theta, gradients);
  entropy.backward(theta, others);
  for (int k = 0; k < parameters<G, double>::block_size; ++k)
    CHECK(gradients.data()[k] == doctest::Approx(others.data()[k]).epsilon(1e-9));
}

// The same as PyTorch's MultiMarginLoss, as a loop over the other classes.
TEST_CASE_TEMPLATE("other classes keep a margin from the target's", M, oracle, processor) {
  using T = typename M::scalar;
  const typename M::template parameters<tagger> theta(seed{5});
  typename M::template differentiation<tagger, losses::multi_margin<"y", "target", 0.7>, batch<rows + 1>> run;
  feed(run);
  const double got = run.forward(theta);
  const auto y = get<"y">(run);
  double sum = 0;
  int positions = 0;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t t = 0; t < targets[r].size(); ++t) {
      if (targets[r][t] < 0) continue;
      const auto of_target = static_cast<std::size_t>(targets[r][t]);
      for (std::size_t c = 0; c < classes; ++c)
        if (c != of_target)
          sum += std::max(0.0, 0.7 - double(y(r, t, of_target)) + double(y(r, t, c))) / classes;
      ++positions;
    }
  CHECK(got == doctest::Approx(sum / positions).epsilon(sizeof(T) == 4 ? 2e-6 : 1e-12));
}

TEST_CASE("where every target is left out, the loss and its gradient are zero") {
  using G = graph<"row", input<"x", features<3>>, node<"y", linear<classes>, "x">, output<"y">>;
  const parameters<G> theta(seed{5});
  parameters<G> gradients(zeros{});
  differentiation<G, all_of_them, batch<2>> run;
  set_input<"x">(run, std::vector<float>{1, 2, 3, 4, 5, 6});
  set_input<"target">(run, std::vector<int>{-1, 1});
  CHECK(run.forward(theta) == 0);
  run.backward(theta, gradients);
  for (int k = 0; k < parameters<G>::block_size; ++k) REQUIRE(gradients.data()[k] == 0);
}

TEST_CASE("where no target has a weight, the loss and its gradient are zero") {
  using G = graph<"row", input<"x", features<3>>, node<"y", linear<classes>, "x">, output<"y">>;
  const parameters<G> theta(seed{5});
  parameters<G> gradients(zeros{});
  differentiation<G, without_weight, batch<2>> run;
  set_input<"x">(run, std::vector<float>{1, 2, 3, 4, 5, 6});
  set_input<"target">(run, std::vector<int>{0, 3});
  CHECK(run.forward(theta) == 0);
  run.backward(theta, gradients);
  for (int k = 0; k < parameters<G>::block_size; ++k) REQUIRE(gradients.data()[k] == 0);
}

}  // namespace tenon::test
