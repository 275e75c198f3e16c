// A loss that is an equation: its mean over the positions of a batch, and its gradient, against sums written out.
#include "tenon/engine/run/operations/mean_loss.hpp"

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

constexpr int in = 2, out = 3, rows = 3, bound = 4;

// length(r): how many steps row r has; x and target have `bound` places in each row.
template <class M, class G, class Feed>
void check(Feed feed, const std::vector<int>& lengths, int places) {
  using T = typename M::scalar;
  std::vector<T> x(std::size_t(rows * places * in)), target(std::size_t(rows * places * out));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(std::cos(0.9 * double(k)));
  for (std::size_t k = 0; k < target.size(); ++k) target[k] = T(std::sin(1.3 * double(k)));
  const typename M::template parameters<G> theta(seed{6});
  typename M::template parameters<G> gradients(zeros{});
  const auto weight = get<"y.weight">(theta);
  const auto bias = get<"y.bias">(theta);

  double sum = 0, count = 0, db[out]{};
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t) {
      count += out;
      for (int c = 0; c < out; ++c) {
        const std::size_t at = std::size_t(r * places + t);
        double y = double(bias(c));
        for (int j = 0; j < in; ++j) y += double(weight(c, j)) * double(x[at * in + std::size_t(j)]);
        const double apart = y - double(target[at * out + std::size_t(c)]);
        sum += apart * apart;
        db[c] += 2 * apart;
      }
    }
  typename M::template differentiation<G, losses::mse<"y">, batch<rows>> run;
  feed(run, x, target);
  run.forward(theta);
  run.backward(theta, gradients);
  CHECK(double(run.loss()) == doctest::Approx(count > 0 ? sum / count : 0).epsilon(1e-5));
  for (int c = 0; c < out; ++c)
    CHECK(double(get<"y.bias">(gradients)(c)) ==
          doctest::Approx(count > 0 ? db[c] / count : 0).epsilon(1e-4));
}

using in_rows = graph<"in rows", input<"x", features<in>>, node<"y", linear<out>, "x">, output<"y">>;
using in_steps =
    graph<"in steps", input<"x", features<in>, steps<bound>>, node<"y", linear<out>, "x">, output<"y">>;

template <class M>
void check_steps(const std::vector<int>& lengths) {
  check<M, in_steps>(
      [&](auto& run, const auto& x, const auto& target) {
        using T = typename M::scalar;
        set_input<"x">(run, view<const T>(x.data(), {rows, bound, in}), lengths);
        set_input<"target">(run, view<const T>(target.data(), {rows, bound, out}), lengths);
      },
      lengths, bound);
}

}  // namespace

TEST_CASE_TEMPLATE("the mean over the rows of a batch", M, oracle, processor) {
  check<M, in_rows>(
      [&](auto& run, const auto& x, const auto& target) {
        set_input<"x">(run, x);
        set_input<"target">(run, target);
      },
      std::vector<int>(rows, 1), 1);
}
TEST_CASE_TEMPLATE("of a sequence only the steps up to its length", M, oracle, processor) {
  check_steps<M>({bound, 0, 2});
  check_steps<M>({1, 1, 1});
}
TEST_CASE_TEMPLATE("a batch of empty sequences has a loss of 0", M, oracle, processor) {
  check_steps<M>({0, 0, 0});
}

}  // namespace tenon::test
