// Reductions and functions along an axis, over sequences of several lengths, against loops in double that see only the steps of a
// sequence.
#include "tenon/engine/run/kernels/axis.hpp"

#include "support/graphs.hpp"
#include "support/machines.hpp"
#include "tenon/equation/axes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {

namespace {

constexpr int width = 3, rows = 4, bound = 5;

struct sums : equations::symbols {
  static constexpr auto at(auto x) { return sum<"time">(x); }
};
struct sums_of_more : equations::symbols {  // the padding of x + 1 is not 0
  static constexpr auto at(auto x) { return sum<"time">(x + 1); }
};
struct largest : equations::symbols {
  static constexpr auto at(auto x) { return max<"time">(x); }
};
struct shares : equations::symbols {
  static constexpr auto at(auto x) { return softmax<"time">(x); }
};
struct backwards : equations::symbols {
  static constexpr auto at(auto x) { return reversed<"time">(x); }
};
struct weighted : equations::symbols {
  static constexpr auto at(auto x) { return sum<"time">(softmax<"time">(x) * x); }
};
struct side_by_side : equations::symbols {  // the padding of x + 1 is not 0
  static constexpr auto at(auto x) { return as_features<"time">(x + 1); }
};

using column = std::vector<double>;  // one feature of one row, up to its length

// expected(column, step): the value of this feature at this step, or of the row.
template <class M, class Layer, int Rank, class F>
void check(F expected) {
  using G = over_time<Layer, width, bound>;
  using T = typename M::scalar;
  const std::vector<int> lengths{bound, 1, 3, 2};
  std::vector<T> x(rows * bound * width);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(2 * std::sin(1.7 * double(k)));
  const typename M::template parameters<G> theta(zeros{});
  typename M::template inference<G, batch<rows>> run;
  const view<const T> all(x.data(), {rows, bound, width});
  set_input<"x">(run, all);
  run.run(theta);  // it leaves numbers behind each row's end
  set_input<"x">(run, all, lengths);
  run.run(theta);
  const auto column_of = [&](std::size_t r, std::size_t j) {
    column seen;
    for (int t = 0; t < lengths[r]; ++t) seen.push_back(double(x[(r * bound + std::size_t(t)) * width + j]));
    return seen;
  };
  const auto y = get<"y">(run);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < width; ++j)
      if constexpr (Rank == 2) {
        CHECK(double(y(r, j)) == doctest::Approx(expected(column_of(r, j), 0)).epsilon(1e-5));
      } else {
        for (std::size_t t = 0; t < bound; ++t)
          CHECK(double(y(r, t, j)) ==
                doctest::Approx(int(t) < lengths[r] ? expected(column_of(r, j), t) : 0).epsilon(1e-5));
      }
}
double share(const column& of, std::size_t t) {
  double all = 0;
  for (const double v : of) all += std::exp(v);
  return std::exp(of[t]) / all;
}

}  // namespace

TEST_CASE_TEMPLATE("one value of all steps", M, oracle, processor) {
  check<M, sums, 2>([](const column& of, std::size_t) {
    double all = 0;
    for (const double v : of) all += v;
    return all;
  });
  check<M, sums_of_more, 2>([](const column& of, std::size_t) {
    double all = 0;
    for (const double v : of) all += v + 1;
    return all;
  });
  check<M, largest, 2>([](const column& of, std::size_t) { return *std::max_element(of.begin(), of.end()); });
  check<M, weighted, 2>([](const column& of, std::size_t) {
    double all = 0;
    for (std::size_t t = 0; t < of.size(); ++t) all += share(of, t) * of[t];
    return all;
  });
}
TEST_CASE_TEMPLATE("a value at each step", M, oracle, processor) {
  check<M, shares, 3>(share);
  check<M, backwards, 3>([](const column& of, std::size_t t) { return of[of.size() - 1 - t]; });
}
TEST_CASE_TEMPLATE("the steps side by side, with zeros past the end", M, oracle, processor) {
  using G = over_time<side_by_side, width, bound>;
  using T = typename M::scalar;
  const std::vector<int> lengths{2, bound, 1, 4};
  std::vector<T> x(rows * bound * width);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(1 + k);
  const typename M::template parameters<G> theta(zeros{});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  const view<const T> all(x.data(), {rows, bound, width});
  set_input<"x">(run, all);
  run.forward(theta);  // it leaves numbers behind each row's end
  set_input<"x">(run, all, lengths);
  run.forward(theta);
  const auto y = get<"y">(run);
  tenon::detail::for_each_element<2>(output_adjoint<"y">(run), [&](T& dy, auto r, auto j) {
    dy = T(1000 + 100 * r + j);
    CHECK(y(r, j) == (int(j) < lengths[r] * width ? x[r * bound * width + j] + 1 : T(0)));
  });
  run.backward(theta, gradients);
  tenon::detail::for_each_element<3>(input_gradient<"x">(run), [&](T dx, auto r, auto t, auto j) {
    CHECK(dx == (int(t) < lengths[r] ? T(1000 + 100 * r + t * width + j) : T(0)));
  });
}

}  // namespace tenon::test
