// Dropout in a plan: how many zeros, how large the other elements are, when new zeros are drawn, and that inference
// has none.
#include "tenon/engine/run/operations/dropout.hpp"

#include "support/machines.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/dropout.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int width = 1000, rows = 8;
template <class Layer>
using with = graph<"with dropout", input<"x", features<width>>, node<"y", Layer, "x">, output<"y">>;

// The outputs for an input of ones, with `backward` also the gradients of the input for adjoints of one.
template <class G, class M = machine<backend::cpu, float>>
std::vector<double> draw(std::uint64_t seed, std::uint64_t step, bool backward = false) {
  using T = typename M::scalar;
  const typename M::template parameters<G> theta(zeros{});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  set_input<"x">(run, std::vector<T>(width * rows, T(1)));
  run.randomness({seed}, step);
  run.forward(theta);
  std::vector<double> result;
  const auto keep = [&](const auto& v) {
    tenon::detail::for_each_element<2>(v, [&](T y, auto...) { result.push_back(double(y)); });
  };
  if (!backward) {
    keep(get<"y">(run));
  } else {
    tenon::detail::for_each_element<2>(output_adjoint<"y">(run), [](T& dy, auto...) { dy = T(1); });
    run.backward(theta, gradients);
    keep(input_gradient<"x">(run));
  }
  return result;
}

template <double Rate>
void check_rate() {
  const std::vector<double> y = draw<with<dropout<Rate>>>(1, 1);
  const double scale = 1 / (1 - Rate), n = double(y.size());
  double zeros = 0;
  for (double v : y) {
    CHECK((v == 0 || v == double(float(scale))));
    zeros += v == 0;
  }
  CHECK(std::abs(zeros / n - Rate) <= 4 * std::sqrt(Rate * (1 - Rate) / n));
}

TEST_CASE("the share of zeros is the rate, the rest is scaled") {
  check_rate<0.0>();
  check_rate<0.1>();
  check_rate<0.5>();
  check_rate<0.9>();
}
TEST_CASE("one seed and step draw the same zeros, everywhere and in both directions") {
  using G = with<dropout<0.5>>;
  const std::vector<double> y = draw<G>(1, 7);
  CHECK(y == draw<G>(1, 7));
  CHECK(y == draw<G, oracle>(1, 7));
  CHECK(y == draw<G>(1, 7, true));  // the gradient has the same zeros as the value
}
TEST_CASE("a zero says nothing of its neighbours") {
  const std::vector<double> y = draw<with<dropout<0.5>>>(1, 7);
  for (std::size_t apart : {1u, 2u, 3u, 4u, 5u, 8u, 999u, 1000u}) {
    CAPTURE(apart);
    double alike = 0;
    for (std::size_t k = apart; k < y.size(); ++k) alike += (y[k] == 0) == (y[k - apart] == 0);
    CHECK(alike / double(y.size() - apart) == doctest::Approx(0.5).epsilon(0.06));
  }
}
TEST_CASE("another seed, another step, another node: other zeros") {
  using G = with<dropout<0.5>>;
  const std::vector<double> y = draw<G>(1, 7);
  const auto alike = [&](const std::vector<double>& z) {
    double n = 0;
    for (std::size_t k = 0; k < y.size(); ++k) n += (y[k] == 0) == (z[k] == 0);
    return n / double(y.size());
  };
  CHECK(alike(draw<G>(2, 7)) == doctest::Approx(0.5).epsilon(0.06));
  CHECK(alike(draw<G>(1, 8)) == doctest::Approx(0.5).epsilon(0.06));
  // two in a row: a quarter stays
  double kept = 0;
  for (double v : draw<with<chain<dropout<0.5>, dropout<0.5>>>>(1, 7)) kept += v != 0;
  CHECK(kept / (width * rows) == doctest::Approx(0.25).epsilon(0.08));
}
TEST_CASE("inference is the identity") {
  using G = with<chain<dropout<0.5>, dropout<0.9>>>;
  const parameters<G> theta(zeros{});
  inference<G, batch<rows>> run;
  std::vector<float> x(width * rows);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = float(k);
  const auto y = run(theta, x);
  tenon::detail::for_each_element<2>(y, [&](float v, auto r, auto j) {
    if (v != x[r * width + j]) FAIL_CHECK("row ", r, ", feature ", j, " is ", v);
  });
}

}  // namespace tenon::test
