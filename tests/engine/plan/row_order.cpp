// The order of an input's rows in memory: which inputs are stored as rows of steps, and that the results are the same.
#include "tenon/engine/plan/row_order.hpp"

#include "support/machines.hpp"
#include "support/sample.hpp"
#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/attention.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int rows = 3, bound = 5;

// The states are an input that only attention reads, or that is also an output.
template <class Score, int Query, int Features, class... More>
using attending =
    graph<"attending", input<"q", features<Query>>, input<"h", features<Features>, steps<bound>>,
          node<"c", attention<Score>, "q", "h">, output<"c">, More...>;
template <class Session>
constexpr bool is_rows_of_steps() {
  using plan = typename Session::plan;
  return engine::row_order<plan>::is_rows_of_steps(plan::net.inputs[1]);
}

TEST_CASE("only what attention by maps alone reads stands in rows of steps") {
  using alone = attending<score::dot, 5, 5>;
  CHECK(is_rows_of_steps<differentiation<alone, void, batch<2>>>());
  CHECK(is_rows_of_steps<inference<alone, batch<2>>>());
  CHECK_FALSE(is_rows_of_steps<inference<alone>>());                                          // one row
  CHECK_FALSE(is_rows_of_steps<inference<attending<score::additive<6>, 5, 4>, batch<2>>>());  // products
  CHECK_FALSE(is_rows_of_steps<inference<attending<score::dot, 5, 5, output<"h">>, batch<2>>>());
  CHECK_FALSE(
      is_rows_of_steps<inference<
          attending<score::dot, 5, 5, node<"d", attention<score::dot>, "q", "h">, output<"d">>, batch<2>>>());
}

template <class M, class Score, int Query, int Features>
void check_order(bool is_in_rows) {
  using T = typename M::scalar;
  using alone = attending<Score, Query, Features>;
  using shared = attending<Score, Query, Features, output<"h">>;
  using session = typename M::template differentiation<alone, void, batch<rows + 1>, input_gradients>;
  using other_session = typename M::template differentiation<shared, void, batch<rows + 1>, input_gradients>;
  CHECK(is_rows_of_steps<session>() == is_in_rows);
  CHECK_FALSE(is_rows_of_steps<other_session>());

  typename M::template parameters<alone> theta(seed{3}), gradients(zeros{});
  typename M::template parameters<shared> same(seed{3}), other_gradients(zeros{});
  session run;
  other_session other;
  random_numbers random(5);
  std::vector<double> numbers(rows * (bound * Features + Query + Features));
  for (double& x : numbers) x = random() / std::sqrt(Features);
  const view<const double> q(numbers.data(), {rows, Query}, {Query, 1}),
      states(numbers.data() + rows * Query, {rows, bound, Features}, {bound * Features, Features, 1}),
      dc(numbers.data() + rows * (bound * Features + Query), {rows, Features}, {Features, 1});
  const std::vector<int> lengths{3, 0, 5};
  const auto work = [&](auto& s, const auto& parameters, auto& to) {
    set_input<"q">(s, q);
    set_input<"h">(s, states, lengths);
    s.forward(parameters);
    tenon::detail::for_each_element<2>(
        dc, [&](double x, auto i, auto j) { output_adjoint<"c">(s)(i, j) += static_cast<T>(x); });
    s.backward(parameters, to);
  };
  work(run, theta, gradients);
  work(other, same, other_gradients);

  const double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;
  const auto check = [&](const view<const T>& a, const view<const T>& b) {
    double size = 0;
    REQUIRE(a.size() == b.size());
    const auto near = [&](T x, T y) {
      REQUIRE(std::abs(double(x) - double(y)) <= tolerance);
      size = worse(size, std::abs(double(x)));
    };
    if (a.dimension() == 2)
      tenon::detail::for_each_element<2>(a, [&](T x, auto i, auto j) { near(x, b(i, j)); });
    else tenon::detail::for_each_element<3>(a, [&](T x, auto i, auto j, auto k) { near(x, b(i, j, k)); });
    CHECK(size > 1e-4);
  };
  check(get<"c">(run), get<"c">(other));
  check(input_gradient<"q">(run), input_gradient<"q">(other));
  check(input_gradient<"h">(run), input_gradient<"h">(other));
  for (int k = 0; k < gradients.block_size; ++k)
    REQUIRE(std::abs(double(std::as_const(gradients).data()[k]) -
                     double(std::as_const(other_gradients).data()[k])) <= tolerance);
}

TEST_CASE_TEMPLATE("the order of rows changes nothing", M, oracle, processor) {
  const bool sums_are_maps =
      sizeof(typename M::scalar) == 4;  // of the CPU backend; the backward pass of dot has one
  check_order<M, score::dot, 5, 5>(sums_are_maps);
  check_order<M, score::dot, 200, 200>(sums_are_maps);  // too wide for a chain of maps
  check_order<M, score::multiplicative, 5, 4>(false);
}

}  // namespace tenon::test
