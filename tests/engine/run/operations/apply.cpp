// An equation at every position: its values and gradients against loops in double, with rows that end and an input for all steps.
#include "tenon/engine/run/operations/apply.hpp"

#include "support/machines.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {

namespace {

constexpr int in = 3, out = 2, rows = 3, bound = 4;

// y = tanh(W x + b) * g, where g is one row for all steps.
struct gated : equations::symbols {
  static constexpr auto at(auto x, auto g) { return tanh(W<"w", out>(x) + b<"b">) * g; }
};
using G = graph<"gated", input<"x", features<in>, steps<bound>>, input<"g", features<out>>,
                node<"y", gated, "x", "g">, output<"y">>;

}  // namespace

TEST_CASE_TEMPLATE("values, and gradients of parameters and inputs", M, oracle, processor) {
  using T = typename M::scalar;
  const std::vector<int> lengths{bound, 0, 2};
  std::vector<T> x(rows * bound * in), g(rows * out);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(std::cos(0.9 * double(k)));
  for (std::size_t k = 0; k < g.size(); ++k) g[k] = T(std::sin(0.5 + double(k)));
  const typename M::template parameters<G> theta(seed{7});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  const view<const T> steps_of_all(x.data(), {rows, bound, in});
  set_input<"x">(run, steps_of_all);
  set_input<"g">(run, g);
  run.forward(theta);  // it leaves numbers behind each row's end
  set_input<"x">(run, steps_of_all, lengths);
  run.forward(theta);

  // The only parameters: w [out, in] and b [out], in this order.
  const std::vector<T> all(theta.data(), theta.data() + theta.count());
  REQUIRE(all.size() == out * in + out);
  std::vector<double> dx(x.size()), dg(g.size()), d(all.size());
  const auto y = get<"y">(run);
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run), [&](T& dy, auto r, auto t, auto c) {
    dy = T(1 + double(r) - 2 * double(t) + 0.5 * double(c));
    if (int(t) >= lengths[r]) {
      CHECK(y(r, t, c) == T(0));
      return;
    }
    const std::size_t row = (r * bound + t) * in;
    double sum = double(all[out * in + c]);
    for (std::size_t j = 0; j < in; ++j) sum += double(all[c * in + j]) * double(x[row + j]);
    const double value = std::tanh(sum), gate = double(g[r * out + c]);
    CHECK(double(y(r, t, c)) == doctest::Approx(value * gate).epsilon(1e-5));
    const double of_sum = double(dy) * gate * (1 - value * value);
    dg[r * out + c] += double(dy) * value;
    d[out * in + c] += of_sum;
    for (std::size_t j = 0; j < in; ++j) {
      d[c * in + j] += of_sum * double(x[row + j]);
      dx[row + j] += of_sum * double(all[c * in + j]);
    }
  });
  run.backward(theta, gradients);
  for (std::size_t k = 0; k < d.size(); ++k)
    CHECK(double(gradients.data()[k]) == doctest::Approx(d[k]).epsilon(1e-4));
  tenon::detail::for_each_element<3>(input_gradient<"x">(run), [&](const T& got, auto r, auto t, auto j) {
    CHECK(double(got) == doctest::Approx(dx[(r * bound + t) * in + j]).epsilon(1e-4));
  });
  tenon::detail::for_each_element<2>(input_gradient<"g">(run), [&](const T& got, auto r, auto c) {
    CHECK(double(got) == doctest::Approx(dg[r * out + c]).epsilon(1e-4));
  });
}

// What depends on the gate alone is computed before the first step of a stream, for all rows.
struct gated_by_product : equations::symbols {
  static constexpr auto at(auto x, auto g) { return x * tanh(W<"w", out>(g) + b<"b">); }
};
TEST_CASE("what the steps of a stream do not change, for each row") {
  using stepped = graph<"stepped", input<"x", features<out>, steps<bound>>, input<"g", features<in>>,
                        node<"y", gated_by_product, "x", "g">, output<"y">>;
  const parameters<stepped> theta(seed{7});
  streaming<stepped, batch<rows>> live(theta);
  std::vector<float> g(rows * in);
  for (std::size_t k = 0; k < g.size(); ++k) g[k] = std::sin(0.5f + float(k));
  set_input<"g">(live, g);
  const auto w = get<"y.W_w">(theta);
  const auto b = get<"y.b_b">(theta);
  for (int t = 0; t < 3; ++t) {
    std::vector<float> x(rows * out);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::cos(float(t) + float(k));
    live.step(x);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < out; ++c) {
        double sum = double(b(c));
        for (std::size_t j = 0; j < in; ++j) sum += double(w(c, j)) * double(g[r * in + j]);
        CHECK(double(get<"y">(live)(r, c)) ==
              doctest::Approx(double(x[r * out + c]) * std::tanh(sum)).epsilon(1e-5));
      }
  }
}

}  // namespace tenon::test
