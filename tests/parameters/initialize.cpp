// Initialisers against their definitions: mean, deviation, bounds, orthogonality; as options, in equations, by name at run time.
#include "tenon/parameters/initialize.hpp"

#include "support/worse.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

struct gated : equations::symbols {
  static constexpr init::start starts[]{
      {"U", init::orthogonal(2)}, {"U", "z", init::identity()}, {"b", init::constant(-1)}};
  static constexpr cells::storage_layout storage = cells::torch_storage("r", "z", "n");
  static constexpr auto step(auto x, auto h) {
    const auto r = sigmoid(W<"r">(x) + U<"r">(h)), z = sigmoid(W<"z">(x) + U<"z">(h));
    return (1 - z) * h + z * tanh(W<"n">(x) + U<"n">(r * h) + b<"n">);
  }
};
using model = graph<
    "model", input<"words", token<40>, steps<6>>, input<"image", features<3>, grid<8, 8>>,
    node<"embedded", embedding<40, 12, padding_idx<3>, initialized<"weight", init::normal(1, 0.5)>>, "words">,
    node<"states",
         lstm<16, initialized<"weight_hh*", init::orthogonal()>, initialized<"bias*", init::constant(0.25)>>,
         "embedded">,
    node<"own", recurrent<gated, hidden<9>>, "states">,
    node<"places", conv2d<20, 3, 3, initialized<"weight", init::kaiming_normal(init::fan::out)>>, "image">,
    node<"seen", mean_over<>, "places">,
    node<"wide",
         with_options<chain<linear<300>, activation::relu, linear<200>>,
                      initialized<"*weight", init::xavier_uniform()>,
                      initialized<"2.bias", init::uniform(2, 4)>>,
         "own.final">,
    node<"y", linear<2>, "wide">, output<"y">, output<"seen">>;
static_assert(check<model>());

struct moments {
  double mean = 0, deviation = 0, least = 1e30, most = -1e30;
};
template <class T>
moments of(const view<T>& v) {
  moments m;
  const double n = static_cast<double>(v.size());
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double x = v.data()[k];
    m.mean += x / n;
    m.least = std::min(m.least, x);
    m.most = std::max(m.most, x);
  }
  for (std::size_t k = 0; k < v.size(); ++k)
    m.deviation += (v.data()[k] - m.mean) * (v.data()[k] - m.mean) / n;
  m.deviation = std::sqrt(m.deviation);
  return m;
}
// The mean is within four of its own deviations, the deviation within 3 %.
template <class T>
void check_moments(const view<T>& v, double mean, double deviation) {
  const moments m = of(v);
  CHECK(std::abs(m.mean - mean) < 4 * deviation / std::sqrt(static_cast<double>(v.size())));
  CHECK(std::abs(m.deviation / deviation - 1) < 0.03);
}
// Rows `first` .. of a matrix: M M' = gain^2, or M' M if it is higher than wide.
template <class T>
void check_orthogonal(const view<T>& v, int first, int rows, double gain) {
  const int columns = static_cast<int>(v.shape(1)), count = std::min(rows, columns);
  double worst = 0;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      double sum = 0;
      for (int k = 0; k < std::max(rows, columns); ++k)
        sum += rows < columns ? double(v(first + i, k)) * v(first + j, k)
                              : double(v(first + k, i)) * v(first + k, j);
      worst = worse(worst, std::abs(sum - (i == j ? gain * gain : 0)));
    }
  CHECK(worst < 1e-5);
}

using wide = graph<"wide", input<"x", features<120>>, node<"a", linear<400>, "x">, node<"y", linear<30>, "a">,
                   output<"y">>;

TEST_CASE_TEMPLATE("the distributions are those of their definitions", T, float, double) {
  parameters<wide, T> theta;
  const auto weight = [&](const ir::initializer& start) {  // [400, 120]
    initialize(theta, "a.weight", start, seed{7});
    return get<"a.weight">(theta);
  };
  const double in = 120, out = 400;
  const moments u = of(weight(init::uniform(-1, 3)));
  CHECK(u.least >= -1);
  CHECK(u.most <= 3);
  CHECK(u.most - u.least > 3.999);
  check_moments(weight(init::uniform(-1, 3)), 1, 4 / std::sqrt(12.0));
  check_moments(weight(init::uniform()), 0.5, 1 / std::sqrt(12.0));
  check_moments(weight(init::normal(-2, 0.3)), -2, 0.3);
  check_moments(weight(init::xavier_normal()), 0, std::sqrt(2 / (in + out)));
  check_moments(weight(init::xavier_normal(init::gain::tanh)), 0, 5.0 / 3 * std::sqrt(2 / (in + out)));
  check_moments(weight(init::kaiming_normal()), 0, std::sqrt(2 / in));
  check_moments(weight(init::kaiming_normal(init::fan::out, 1)), 0, std::sqrt(1 / out));
  for (const auto& [start, bound] :
       {std::pair(init::xavier_uniform(), std::sqrt(6 / (in + out))),
        std::pair(init::kaiming_uniform(), std::sqrt(6 / in)),
        std::pair(init::kaiming_uniform(init::fan::out, init::gain::leaky_relu(0.2)),
                  std::sqrt(2 / 1.04) * std::sqrt(3 / out))}) {
    const moments m = of(weight(start));
    CHECK(m.least >= -bound * 1.000001);
    CHECK(m.most <= bound * 1.000001);
    CHECK(m.most - m.least > 1.999 * bound);
    check_moments(weight(start), 0, bound / std::sqrt(3.0));
  }
  const auto eye = weight(init::identity(3));
  for (int i = 0; i < 400; ++i)
    for (int j = 0; j < 120; j += 7) CHECK(eye(i, j) == (i == j ? 3 : 0));
  const auto five = weight(init::constant(5));
  CHECK(of(five).least == 5);
  CHECK(of(five).most == 5);
}
// Mean and deviation of a normal distribution cut to low .. high: by sums over its density.
moments cut(double mean, double deviation, double low, double high) {
  double mass = 0, first = 0, second = 0;
  for (int k = 0; k < 200000; ++k) {
    const double x = low + (high - low) * (k + 0.5) / 200000, z = (x - mean) / deviation,
                 p = std::exp(-0.5 * z * z);
    mass += p;
    first += p * x;
    second += p * x * x;
  }
  first /= mass;
  second /= mass;
  return {first, std::sqrt(second - first * first), low, high};
}
TEST_CASE("a truncated normal has no number outside, and the moments of what is left") {
  parameters<wide> theta;
  struct {
    double mean, deviation, low, high;
  } const cases[]{{0, 1, -2, 2}, {0, 0.02, -0.04, 0.04}, {1, 2, 0, 1.5},
                  {0, 1, 3, 4},  {0, 1, -9, -5},         {5, 1, -1, 1}};
  for (const auto& c : cases) {
    CAPTURE(c.low);
    initialize(theta, "a.weight", init::truncated_normal(c.mean, c.deviation, c.low, c.high), seed{2});
    const moments got = of(get<"a.weight">(theta)), expected = cut(c.mean, c.deviation, c.low, c.high);
    CHECK(got.least >= static_cast<float>(c.low));
    CHECK(got.most <= static_cast<float>(c.high));
    check_moments(get<"a.weight">(theta), expected.mean, expected.deviation);
  }
}
TEST_CASE("orthogonal matrices, wide and high, uniform among them, and other ones under another seed") {
  parameters<wide> theta;
  initialize(theta, "*.weight", init::orthogonal(1.5), seed{4});
  check_orthogonal(get<"a.weight">(theta), 0, 400, 1.5);
  check_orthogonal(get<"y.weight">(theta), 0, 30, 1.5);
  // each entry of a uniformly distributed one has mean 0 and deviation 1 / sqrt(the longer side)
  check_moments(get<"y.weight">(theta), 0, 1.5 / 20);
  CHECK(std::abs(get<"y.weight">(theta)(0, 0)) < 1.4f);
  const float before = get<"a.weight">(theta)(5, 6);
  initialize(theta, "a.weight", init::orthogonal(1.5), seed{5});
  CHECK(get<"a.weight">(theta)(5, 6) != before);
  initialize(theta, "a.weight", init::orthogonal(1.5), seed{4});
  CHECK(get<"a.weight">(theta)(5, 6) == before);
}

TEST_CASE("a layer's options say how its parameters start") {
  const parameters<model> theta(seed{3});
  check_orthogonal(get<"states.weight_hh_l0">(theta), 0, 64,
                   1);  // one matrix, as PyTorch's of the stored tensor
  for (float b : {get<"states.bias_ih_l0">(theta)(5), get<"states.bias_hh_l0">(theta)(63)}) CHECK(b == 0.25f);
  CHECK(of(get<"states.weight_ih_l0">(theta)).most <= 0.25);  // as before: 1 / sqrt 16
  const auto table = get<"embedded.weight">(theta);
  for (int j = 0; j < 12; ++j) CHECK(table(3, j) == 0);
  CHECK(std::abs(of(table).mean - 39.0 / 40) < 0.1);
  // 3 x 3 places of 20 channels go out of an input
  CHECK(std::abs(of(get<"places.weight">(theta)).deviation / std::sqrt(2.0 / (9 * 20)) - 1) < 0.1);
  const double bound = std::sqrt(6.0 / 500);
  CHECK(of(get<"wide.2.weight">(theta)).most <= bound * 1.00001);
  CHECK(of(get<"wide.2.weight">(theta)).most > 0.99 * bound);
  CHECK(of(get<"wide.2.bias">(theta)).least >= 2);
  CHECK(of(get<"wide.0.bias">(theta)).most <= 1.0 / 3);
}
TEST_CASE("an equation says how its symbols start, each by itself in a stack") {
  const parameters<model> theta(seed{3});
  const auto u = get<"own.weight_hh_l0">(theta);  // r, z, n
  check_orthogonal(u, 0, 9, 2);
  check_orthogonal(u, 18, 9, 2);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) {
      CHECK(u(9 + i, j) == (i == j));
      if (i != j) CHECK(u(i, j) != u(18 + i, j));
    }
  for (int i = 0; i < 9; ++i) CHECK(get<"own.b_n_l0">(theta)(i) == -1);
}

TEST_CASE("at run time, by pattern; nothing else changes") {
  parameters<model> theta(seed{3});
  const parameters<model> before(seed{3});
  initialize(theta, "states.weight_*", init::each_of(4, init::orthogonal()), seed{1});
  for (int gate = 0; gate < 4; ++gate) {
    check_orthogonal(get<"states.weight_hh_l0">(theta), 16 * gate, 16, 1);
    check_orthogonal(get<"states.weight_ih_l0">(theta), 16 * gate, 16, 1);
  }
  CHECK(get<"states.weight_hh_l0">(theta)(0, 0) != get<"states.weight_hh_l0">(theta)(16, 0));
  theta.for_each([&](std::string_view path, auto v) {
    if (path.starts_with("states.weight_")) return;
    before.for_each([&](std::string_view other, auto w) {
      if (path == other) CHECK(std::equal(v.data(), v.data() + v.size(), w.data()));
    });
  });
  initialize(theta, "embedded.weight", init::constant(1));
  CHECK(get<"embedded.weight">(theta)(2, 0) == 1);
  CHECK(get<"embedded.weight">(theta)(3, 0) == 0);  // the padding row
  const auto revision = theta.revision();
  initialize(theta, "*", init::normal(0, 0.1), seed{1});
  CHECK(theta.revision() != revision);
  CHECK(get<"y.weight">(theta)(0, 0) != get<"wide.2.weight">(theta)(0, 0));
}

std::string said(auto f) {
  try {
    f();
  } catch (const input_error& e) { return e.what(); }
  return "nothing";
}
TEST_CASE("what cannot be is refused, and nothing is changed") {
  parameters<wide> theta(seed{3});
  const float kept = get<"a.weight">(theta)(0, 0);
  CHECK(said([&] { initialize(theta, "a.wieght", init::orthogonal()); }) ==
        "initialize: graph 'wide' has no parameter \"a.wieght\"; did you mean 'a.weight'?");
  CHECK(said([&] { initialize(theta, "a.*", init::xavier_uniform()); }) ==
        "initialize \"a.*\": parameter 'a.bias': Xavier's, Kaiming's, orthogonal and identity initialisers "
        "are of "
        "matrices, and this is a vector; start it by init::constant(0), init::uniform(-0.1, 0.1) or "
        "init::normal(0, 0.1)");
  CHECK(said([&] {
          initialize(theta, "a.weight", init::uniform(1, -1));
        }).find("bounds are in the wrong order") != std::string::npos);
  CHECK(said([&] { initialize(theta, "a.weight", init::normal(0, -1)); }).find("deviation is negative") !=
        std::string::npos);
  CHECK(said([&] {
          initialize(theta, "a.weight", init::truncated_normal(0, 1, 2, 2));
        }).find("a low bound below") != std::string::npos);
  CHECK(said([&] { initialize(theta, "a.weight", init::constant(std::nan(""))); }).find("not finite") !=
        std::string::npos);
  CHECK(said([&] { initialize(theta, "a.weight", init::each_of(3, init::orthogonal())); }).find("blocks") !=
        std::string::npos);
  CHECK(get<"a.weight">(theta)(0, 0) == kept);
}

}  // namespace tenon::test
