// The mean cross-entropy of the steps with a target, and its gradient, against the textbook's formula in double.
#include "tenon/engine/run/operations/cross_entropy.hpp"

#include "support/machines.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int classes = 4, in = 3, rows = 3, bound = 3;
using scored = graph<"scored", input<"x", features<in>, steps<bound>>, node<"logits", linear<classes>, "x">,
                     output<"logits">>;

template <class M>
void check(const std::vector<int>& targets, double scale) {
  using T = typename M::scalar;
  std::vector<T> x(rows * bound * in);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(std::cos(0.9 * double(k)));
  const typename M::template parameters<scored> theta(seed{5});
  typename M::template parameters<scored> gradients(zeros{});
  const auto weight = get<"logits.weight">(theta);
  const auto bias = get<"logits.bias">(theta);

  double loss = 0, count = 0;
  std::vector<double> dw(classes * in), db(classes);
  for (int target : targets) count += target >= 0;
  for (std::size_t s = 0; s < targets.size(); ++s) {
    if (targets[s] < 0) continue;
    double logits[classes], total = 0;
    for (int c = 0; c < classes; ++c) {
      logits[c] = double(bias(c));
      for (int j = 0; j < in; ++j) logits[c] += double(weight(c, j)) * double(x[s * in + std::size_t(j)]);
      total += std::exp(logits[c]);
    }
    loss += scale * (std::log(total) - logits[targets[s]]) / count;
    for (int c = 0; c < classes; ++c) {
      const double g = scale * (std::exp(logits[c]) / total - (c == targets[s])) / count;
      db[std::size_t(c)] += g;
      for (int j = 0; j < in; ++j) dw[std::size_t(c * in + j)] += g * double(x[s * in + std::size_t(j)]);
    }
  }

  const auto compare = [&](auto objective) {
    typename M::template differentiation<scored, decltype(objective), batch<rows>> run;
    set_input<"x">(run, view<const T>(x.data(), {rows, bound, in}));
    set_input<"target">(run, view<const int>(targets.data(), {rows, bound}));
    run.forward(theta);
    run.backward(theta, gradients);
    CHECK(double(run.loss()) == doctest::Approx(loss).epsilon(1e-5));
  };
  if (scale == 1) compare(losses::cross_entropy<"logits">{});
  else compare(losses::scaled<0.25, losses::cross_entropy<"logits">>{});
  for (int c = 0; c < classes; ++c) {
    CHECK(double(get<"logits.bias">(gradients)(c)) == doctest::Approx(db[std::size_t(c)]).epsilon(1e-5));
    for (int j = 0; j < in; ++j)
      CHECK(double(get<"logits.weight">(gradients)(c, j)) ==
            doctest::Approx(dw[std::size_t(c * in + j)]).epsilon(1e-4));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("the mean over the steps that have a target", M, oracle, processor) {
  check<M>({0, 3, -1, -1, -1, -1, 2, 2, 1}, 1);
  check<M>({-1, -1, -1, -1, 0, -1, -1, -1, -1}, 1);
}
TEST_CASE_TEMPLATE("a loss with a factor", M, oracle, processor) {
  check<M>({0, 3, -1, 1, -1, -1, 2, 2, 1}, 0.25);
}
TEST_CASE_TEMPLATE("without a target the loss and its gradient are 0", M, oracle, processor) {
  check<M>(std::vector<int>(rows * bound, -1), 1);
}

}  // namespace tenon::test
