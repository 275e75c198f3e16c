// Neighbours side by side: each number of each window, and the adjoints, against places counted by hand; and a stream, which keeps the
// steps that its windows still see.
#include "tenon/engine/run/operations/windows.hpp"

#include "support/graphs.hpp"
#include "support/machines.hpp"
#include "tenon/nn/unfold.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int features_in = 2, rows = 3, bound = 7;

// The windows have `width` places, `dilation` apart, and begin at window * stride - before.
struct layout {
  int width, stride, dilation, before, behind;
};
template <class M, class Layer>
void check(const layout& w, const std::vector<int>& lengths) {
  using G = over_time<Layer, features_in, bound>;
  using T = typename M::scalar;
  std::vector<T> x(rows * bound * features_in);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(1 + k);
  const typename M::template parameters<G> theta(zeros{});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  const view<const T> all(x.data(), {rows, bound, features_in});
  set_input<"x">(run, all);
  run.forward(theta);  // it leaves numbers behind each row's end
  set_input<"x">(run, all, lengths);
  run.forward(theta);

  std::vector<double> expected(x.size());
  const auto y = get<"y">(run);
  T number = 0;
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run), [&](T& dy, auto r, auto window, auto j) {
    dy = ++number;
    const int length = lengths[r], span = (w.width - 1) * w.dilation + 1;
    const int windows = (length + w.before + w.behind - span) / w.stride + 1;
    const int place = int(window) * w.stride - w.before + int(j) / features_in * w.dilation;
    const bool is_made = length + w.before + w.behind >= span && int(window) < windows;
    const bool is_there = is_made && 0 <= place && place < length;
    const std::size_t from = (r * bound + std::size_t(is_there ? place : 0)) * features_in + j % features_in;
    CHECK(y(r, window, j) == (is_there ? x[from] : T(0)));
    if (is_there) expected[from] += double(dy);
  });
  run.backward(theta, gradients);
  tenon::detail::for_each_element<3>(input_gradient<"x">(run), [&](const T& dx, auto r, auto t, auto j) {
    CHECK(double(dx) == expected[(r * bound + t) * features_in + j]);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("windows without padding, next to each other and apart", M, oracle, processor) {
  check<M, unfold<3>>({3, 1, 1, 0, 0}, {7, 4, 3});
  check<M, unfold<2, stride<2>>>({2, 2, 1, 0, 0}, {7, 4, 2});
  check<M, unfold<2, dilation<3>>>({2, 1, 3, 0, 0}, {7, 5, 4});
}
TEST_CASE_TEMPLATE("zeros outside of the sequence", M, oracle, processor) {
  check<M, unfold<3, same_padding>>({3, 1, 1, 1, 1}, {7, 1, 4});
  check<M, unfold<3, padding<1>, stride<2>>>({3, 2, 1, 1, 1}, {7, 1, 4});
  check<M, unfold<3, is_causal>>({3, 1, 1, 2, 0}, {7, 1, 4});
}
TEST_CASE("a stream sees the steps before, and zeros before the first") {
  using G = over_time<unfold<2, is_causal, dilation<2>>, 1, bound>;
  const parameters<G> theta(zeros{});
  streaming<G> live(theta);
  for (int begun = 0; begun < 2; ++begun) {
    for (int t = 0; t < bound; ++t) {
      live.step(std::vector{float(10 + t)});
      const auto y = get<"y">(live);
      CHECK(y(0, 0) == (t < 2 ? 0.0f : float(10 + t - 2)));
      CHECK(y(0, 1) == float(10 + t));
    }
    live.reset();
  }
}

}  // namespace tenon::test
