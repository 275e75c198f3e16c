// conv1d against its definition: elements outside a sequence count as zero, for any contents of the memory. The laws of conv1d and conv2d.
#include "tenon/nn/convolution.hpp"

#include "support/graphs.hpp"
#include "support/images.hpp"
#include "support/laws.hpp"
#include "support/network.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/graph/graph.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int rows = 4, bound = 6, in = 3, channels = 5;
template <int Width, int Dilation>
using convolution =
    graph<"convolution", input<"x", features<in>, steps<bound>>,
          node<"y", conv1d<channels, Width, dilation<Dilation>, same_padding>, "x">, output<"y">>;

static_assert(has_parameter(network_of<convolution<3, 2>>, "y.weight", channels, 3 * in) &&
              has_parameter(network_of<convolution<3, 2>>, "y.bias", channels, 0));

template <class M, int Width, int Dilation>
void check() {
  CAPTURE(Width);
  CAPTURE(Dilation);
  using T = typename M::scalar;
  using G = convolution<Width, Dilation>;
  const std::vector<int> lengths{6, 0, 2, 5};
  std::vector<T> x(static_cast<std::size_t>(rows * bound * in), std::numeric_limits<T>::quiet_NaN());
  const auto at = [&](int r, int t, int j) -> T& {
    return x[static_cast<std::size_t>((r * bound + t) * in + j)];
  };
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t)
      for (int j = 0; j < in; ++j) at(r, t, j) = T(std::sin(3 * r + 5 * t + 7 * j));

  const typename M::template parameters<G> theta(seed{3});
  inference<G, batch<rows>, on<typename M::backend>, scalar_type<T>> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, in}, {bound * in, in, 1}), lengths);
  run.run(theta);
  const auto y = get<"y">(run);
  const auto weight = get<"y.weight">(theta);
  const auto bias = get<"y.bias">(theta);
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t)
      for (int c = 0; c < channels; ++c) {
        double expected = double(bias(std::size_t(c)));
        for (int k = 0; k < Width; ++k) {
          const int from = t + k * Dilation - (Width - 1) * Dilation / 2;
          for (int j = 0; j < in && 0 <= from && from < lengths[std::size_t(r)]; ++j)
            expected += double(weight(std::size_t(c), std::size_t(k * in + j))) * double(at(r, from, j));
        }
        CHECK(double(y(std::size_t(r), std::size_t(t), std::size_t(c))) ==
              doctest::Approx(expected).epsilon(1e-5));
      }
}

}  // namespace

static_assert(network_of<over_grid<conv2d<4, 3, 2, no_bias>, 5, 6, 6>>.parameters.size == 1 &&
              has_parameter(network_of<over_grid<conv2d<4, 3, 2>, 5, 6, 6>>, "y.weight", 4, 3 * 2 * 5));
// One place at a time is a linear map: no window is gathered.
static_assert(network_of<over_grid<conv2d<4, 1, 1>, 5, 6, 6>>.operations.size == 1 &&
              network_of<over_grid<conv2d<4, 1, 1, stride<2>>, 5, 6, 6>>.operations.size == 2);

TEST_CASE("laws") {
  check_laws<over_time<conv1d<4, 3, stride<2>, padding<1>>, 3, 5>>();
  check_laws<over_time<conv1d<2, 2, is_causal, no_bias, dilation<2>>, 1, 4>>();
  check_laws<over_grid<conv2d<3, 2, 3, stride<2, 1>, padding<1>>, 2, 3, 4>>();
  check_laws<over_grid<conv2d<3, 1, 1>, 2, 2, 2>>();
}
TEST_CASE_TEMPLATE("conv1d is a product with the steps around each", M, oracle, processor) {
  check<M, 1, 1>();
  check<M, 2, 1>();
  check<M, 3, 1>();
  check<M, 3, 2>();
  check<M, 5, 1>();
}

}  // namespace tenon::test
