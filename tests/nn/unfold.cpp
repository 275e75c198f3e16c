// unfold by its definition, the axes that windows make, and the laws.
#include "tenon/nn/unfold.hpp"

#include "support/graphs.hpp"
#include "support/images.hpp"
#include "support/laws.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/pooling.hpp"

#include <string_view>
#include <vector>

namespace tenon::test {

// --- how many windows there are, and how their axis is called --------------------------------------------------
template <class Layer, int Bound>
constexpr bool makes(std::string_view axis, int bound) {
  constexpr auto& net = network_of<over_time<Layer, 2, Bound>>;
  const time_axis& made = net.axes[net.edges[net.outputs[0]].axis];
  return std::string_view(made.name.view()) == axis && made.bound == bound;
}
static_assert(makes<unfold<3>, 9>("time-2", 7));
static_assert(makes<unfold<3, stride<2>>, 9>("(time-1)/2", 4));
static_assert(makes<unfold<3, stride<2>, padding<1>>, 9>("(time+1)/2", 5));
static_assert(makes<unfold<2, stride<2>>, 9>("time/2", 4));
static_assert(makes<unfold<3, dilation<2>>, 9>("time-4", 5));
static_assert(makes<unfold<3, same_padding>, 9>("time", 9));
static_assert(makes<unfold<2, is_causal>, 9>("time", 9));
static_assert(makes<chain<unfold<2, stride<2>>, unfold<3>, unfold<2, stride<2>>>, 16>("(time/2-2)/2", 3));

// Two ways to as many windows meet on one axis; an input may name it.
struct total {
  static constexpr auto at(auto a, auto b) { return sum(a) + sum(b); }
};
using meeting_windows =
    graph<"meeting", input<"x", features<2>, steps<8>>, node<"wide", unfold<3, stride<2>, padding<1>>, "x">,
          node<"narrow", unfold<1, stride<2>>, "x">, node<"y", total, "wide", "narrow">, output<"y">>;
static_assert(check<meeting_windows>() && network_of<meeting_windows>.axes.size == 2);

// --- the definition --------------------------------------------------------------------------------------------
TEST_CASE("windows of sequences, with zeros past each end") {
  constexpr int bound = 6;
  using G = over_time<unfold<3, stride<2>, padding<1>>, 2, bound>;
  inference<G, batch<3>> run;
  std::vector<float> x(3 * bound * 2, 99);
  const std::vector<int> lengths{6, 3, 0};
  const auto number = [](int r, int t, int j) { return float(100 * r + 10 * t + j + 1); };
  for (int r = 0; r < 3; ++r)
    for (int t = 0; t < lengths[std::size_t(r)]; ++t)
      for (int j = 0; j < 2; ++j) x[std::size_t((r * bound + t) * 2 + j)] = number(r, t, j);
  run.input<"x">(view<const float>(x.data(), {3, bound, 2}, {bound * 2, 2, 1}), lengths);
  run.run(parameters<G>());
  const auto y = run.output<"y">();
  REQUIRE(y.shape(1) == 3);
  const int windows[]{3, 2, 0};  // (length + 1) / 2, rounded down
  for (int r = 0; r < 3; ++r)
    for (int w = 0; w < 3; ++w)
      for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 2; ++j) {
          const int t = 2 * w - 1 + k;
          const bool is_there = w < windows[r] && 0 <= t && t < lengths[std::size_t(r)];
          CHECK(y(r, w, 2 * k + j) == (is_there ? number(r, t, j) : 0));
        }
}
TEST_CASE("windows of a grid") {
  using G = over_grid<unfold2d<2, 3, stride<1, 2>, dilation<2, 1>, padding<1, 0>>, 1, 4, 5>;
  inference<G> run;
  std::vector<float> x(20);
  for (std::size_t k = 0; k < 20; ++k) x[k] = float(k + 1);
  run.input<"x">(x);
  run.run(parameters<G>());
  const auto y = run.output<"y">();
  REQUIRE(y.dimension() == 4);
  REQUIRE((y.shape(1) == 4 && y.shape(2) == 2 && y.shape(3) == 6));
  for (int line = 0; line < 4; ++line)
    for (int place = 0; place < 2; ++place)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) {
          const int from = line - 1 + 2 * i, at = 2 * place + j;
          CHECK(y(0, line, place, 3 * i + j) == (0 <= from && from < 4 ? float(5 * from + at + 1) : 0));
        }
}
TEST_CASE("flatten: line after line") {
  using G = over_grid<flatten, 2, 2, 3>;
  inference<G> run;
  std::vector<float> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  run.input<"x">(view<const float>(x.data(), {1, 2, 3, 2}, {12, 6, 2, 1}));
  run.run(parameters<G>());
  for (std::size_t k = 0; k < 12; ++k) CHECK(run.output<"y">()(0, k) == x[k]);
}

TEST_CASE("laws") {
  check_laws<over_time<unfold<3, stride<2>, padding<1>>, 3, 5>>();
  check_laws<over_time<chain<unfold<2, is_causal>, unfold<2>>, 2, 4>>();
  check_laws<over_grid<unfold2d<3, 2, stride<2, 1>, padding<1, 0>>, 2, 5, 4>>();
  check_laws<over_grid<flatten, 2, 2, 3>>();
  check_laws<meeting_windows>();
}

TEST_CASE("what is given to a grid") {
  using G = over_grid<unfold2d<2, 2>, 1, 3, 4>;
  inference<G, batch<2>> run;
  const std::vector<float> x(40);
  const auto said = [&](auto give) {
    try {
      give();
    } catch (const input_error& e) { return std::string(e.what()); }
    return std::string("nothing");
  };
  CHECK(said([&] { run.input<"x">(x); }) == "input 'x': expected a multiple of 12 numbers, got 40");
  CHECK(said([&] {
          run.input<"x">(view<const float>(x.data(), {1, 4, 3, 1}, {12, 3, 1, 1}));
        }) == "input 'x': expected 3 x 4 places, got 4 x 3");
  CHECK(said([&] {
          run.input<"x">(view<const float>(x.data(), {1, 12, 1}, {12, 1, 1}));
        }) == "input 'x': expected rank 4, got rank 3");
}

}  // namespace tenon::test
