// unfold against its definition, the axes of windows, and the laws.
#include "tenon/nn/unfold.hpp"

#include "support/graphs.hpp"
#include "support/images.hpp"
#include "support/laws.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/pooling.hpp"
#include "tenon/nn/recurrent.hpp"

#include <cmath>
#include <string_view>
#include <vector>

namespace tenon::test {
using namespace nn;

// --- how many windows there are, and the name of their axis ----------------------------------------------------
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
// Windows of windows of windows .. on an axis with a long name: axes whose names are longer than a label are still distinct.
using halved_often = graph<"halved often", input<"x", features<2>, steps<64, "source_sentence_words">>,
                           node<"y",
                                chain<unfold<2, stride<2>>, unfold<2, stride<2>>, unfold<2, stride<2>>,
                                      unfold<2, stride<2>>, unfold<2, stride<2>>>,
                                "x">,
                           output<"y">>;
static_assert(fits<halved_often> && network_of<halved_often>.axes.size == 6);
static_assert(makes<unfold<3, same_padding>, 9>("time", 9));
static_assert(makes<unfold<2, is_causal>, 9>("time", 9));
// Windows around each place have no stride, as in PyTorch; a pooling layer's is its width unless it is written.
template <class Layer>
using on_nine = graph<"on nine", input<"x", features<2>, steps<9>>, node<"y", Layer, "x">, output<"y">>;
template <class Layer>
using on_a_grid = graph<"on a grid", input<"x", features<2>, grid<8, 6>>, node<"y", Layer, "x">, output<"y">>;
static_assert(fits<on_nine<unfold<3, same_padding, stride<1>>>> &&
              !fits<on_nine<unfold<3, same_padding, stride<2>>>>);
static_assert(fits<on_nine<max_pool1d<3, same_padding, stride<1>>>> &&
              !fits<on_nine<max_pool1d<3, same_padding>>>);
static_assert(fits<on_a_grid<unfold2d<3, 3, same_padding>>> &&
              !fits<on_a_grid<unfold2d<3, 3, same_padding, stride<1, 2>>>>);
static_assert(fits<on_a_grid<unfold2d<3, 3, padding<1>, stride<1, 2>>>>);
static_assert(makes<chain<unfold<2, stride<2>>, unfold<3>, unfold<2, stride<2>>>, 16>("(time/2-2)/2", 3));

// The user may name the axis; windows of windows are then called after that name.
static_assert(makes<unfold<2, stride<2>, named_axis<"half">>, 9>("half", 4));
static_assert(makes<chain<conv1d<2, 3, named_axis<"inner">>, max_pool1d<2>>, 9>("inner/2", 3));
static_assert(
    fits<on_a_grid<chain<max_pool2d<2, 2>, max_pool2d<2, 2, named_axis<"coarse">>, mean_over<"coarse">>>>);
template <class First, class Second>
using two_ways = graph<"two ways", input<"x", features<2>, steps<9>>, node<"a", First, "x">,
                       node<"b", Second, "x">, node<"y", add, "a", "b">, output<"y">>;
static_assert(
    fits<two_ways<unfold<2, stride<2>, named_axis<"half">>, unfold<2, stride<2>>>> &&
    fits<two_ways<unfold<2, stride<2>, named_axis<"half">>, unfold<2, stride<2>, named_axis<"half">>>> &&
    !fits<two_ways<unfold<2, stride<2>>, unfold<2, stride<2>, named_axis<"half">>>>);
static_assert(!fits<on_nine<unfold<3, same_padding, named_axis<"same">>>> &&
              !fits<on_nine<gru<3, named_axis<"same">>>>);

// Two ways to the same number of windows share one axis; an input may name it.
struct total {
  static constexpr auto at(auto a, auto b) { return sum(a) + sum(b); }
};
using meeting_windows =
    graph<"meeting", input<"x", features<2>, steps<8>>, node<"wide", unfold<3, stride<2>, padding<1>>, "x">,
          node<"narrow", unfold<1, stride<2>>, "x">, node<"y", total, "wide", "narrow">, output<"y">>;
static_assert(check<meeting_windows>() && network_of<meeting_windows>.axes.size == 2);

// Grids with the same number of places go together, however they were made.
struct sum_of_both {
  static constexpr auto at(auto a, auto b) { return a + b; }
};
static_assert(
    check<graph<"reduction", input<"x", features<4>, grid<8, 6>>,
                node<"a", chain<unfold2d<3, 3, stride<2>, padding<1>>, linear<4>>, "x">,
                node<"b", max_pool2d<2, 2>, "x">, node<"y", sum_of_both, "a", "b">, output<"y">>>());

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
  set_input<"x">(run, view<const float>(x.data(), {3, bound, 2}, {bound * 2, 2, 1}), lengths);
  run.run(parameters<G>());
  const auto y = get<"y">(run);
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
  set_input<"x">(run, x);
  run.run(parameters<G>());
  const auto y = get<"y">(run);
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
  set_input<"x">(run, view<const float>(x.data(), {1, 2, 3, 2}, {12, 6, 2, 1}));
  run.run(parameters<G>());
  for (std::size_t k = 0; k < 12; ++k) CHECK(get<"y">(run)(0, k) == x[k]);
}

TEST_CASE("laws") {
  check_laws<over_time<unfold<3, stride<2>, padding<1>>, 3, 5>>();
  check_laws<over_time<chain<unfold<2, is_causal>, unfold<2>>, 2, 4>>();
  check_laws<over_grid<unfold2d<3, 2, stride<2, 1>, padding<1, 0>>, 2, 5, 4>>();
  check_laws<over_grid<flatten, 2, 2, 3>>();
  check_laws<meeting_windows>();
}

// Adjoints given as tensors, copied or read in place by the backward pass of a table, act like those written into output_adjoint.
template <class G, class Give>
void check_adjoints_of_grid(Give give) {
  constexpr int D = network_of<G>.edges[network_of<G>.outputs[0]].size;
  const parameters<G> theta(seed{1});
  parameters<G> shown(zeros{}), given(zeros{});
  std::vector<float> dy(2 * 6 * D);
  for (std::size_t k = 0; k < dy.size(); ++k) dy[k] = float(k % 7) - 3;
  const view<const float> adjoint(dy.data(), {2, 2, 3, D}, {6 * D, 3 * D, D, 1});
  for (const bool as_tensor : {false, true}) {
    differentiation<G, void, batch<2>> run;
    give(run);
    run.forward(theta);
    if (as_tensor) {
      run.backward(theta, given, adjoint);
      continue;
    }
    const auto to = output_adjoint<"y">(run);
    for (int r = 0; r < 2; ++r)
      for (int line = 0; line < 2; ++line)
        for (int place = 0; place < 3; ++place)
          for (int j = 0; j < D; ++j) to(r, line, place, j) = adjoint(r, line, place, j);
    run.backward(theta, shown);
  }
  double size = 0;
  for (int k = 0; k < parameters<G>::block_size; ++k) {
    CHECK(shown.data()[k] == given.data()[k]);
    size += std::abs(double(shown.data()[k]));
  }
  CHECK(size > 1);
}
TEST_CASE("adjoints of grids as tensors") {
  using looked_up =
      graph<"looked up", input<"t", token<5>, grid<2, 3>>, node<"y", embedding<5, 4>, "t">, output<"y">>;
  check_adjoints_of_grid<looked_up>([](auto& run) {
    static const std::vector<int> tokens{0, 1, 2, 3, 4, 0, 4, 3, 2, 2, 2, 1};
    set_input<"t">(run, view<const int>(tokens.data(), {2, 2, 3}, {6, 3, 1}));
  });
  check_adjoints_of_grid<over_grid<linear<5>, 2, 2, 3>>([](auto& run) {
    std::vector<float> x(24);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = float(k) / 5;
    set_input<"x">(run, x);
  });
}

// An axis whose input only feeds nodes that are not needed has all of its steps; an axis of windows, whose input is needed although
// that of the axis below is not, has the steps with which its input is given.
struct halved {
  static constexpr auto step(auto s) { return 0.5 * s; }
};
using with_unread = graph<"part", input<"x", features<3>, steps<5>>, input<"s", features<4>>,
                          node<"m", mean_over<>, "x">, node<"h", linear<4>, "s">, output<"h">, output<"m">>;
TEST_CASE("lengths of axes whose inputs nobody needs") {
  using G = graph<"unread", input<"x", features<3>, steps<5, "page">>, input<"s", features<4>>,
                  node<"n", with_unread, "x", "s">,
                  node<"y", recurrent<halved, hidden<4>, steps<5, "page">>, "n">, output<"y">>;
  inference<G> run;
  const std::vector<float> ones(15, 1);
  set_input<"x">(run, view<const float>(ones.data(), {1, 5, 3}, {15, 3, 1}));
  set_input<"s">(run, std::vector<float>{1, 2, 3, 4});
  run.run(parameters<G>(seed{1}));
  const auto y = get<"y">(run);
  for (int t = 0; t < 5; ++t) CHECK(y(0, t, 0) != 0);
  for (int t = 1; t < 5; ++t) CHECK(y(0, t, 0) == 0.5f * y(0, t - 1, 0));
}
TEST_CASE("an input on the axis of windows has as many steps as they are") {
  using G = graph<"named", input<"x", features<2>, steps<8>>, node<"w", unfold<2, stride<2>>, "x">,
                  input<"z", features<3>, steps<4, "time/2">>, node<"y", total, "w", "z">, output<"y">>;
  inference<G, batch<2>> run;
  const std::vector<float> x(2 * 8 * 2, 1), z(2 * 4 * 3, 2);
  const auto give = [&](const std::vector<int>& of_x, const std::vector<int>& of_z) {
    set_input<"x">(run, view<const float>(x.data(), {2, 8, 2}, {16, 2, 1}), of_x);
    set_input<"z">(run, view<const float>(z.data(), {2, 4, 3}, {12, 3, 1}), of_z);
    run.run(parameters<G>());
  };
  give({8, 5}, {4, 2});
  CHECK((get<"y">(run)(1, 1, 0) == 4 + 6 && get<"y">(run)(1, 2, 0) == 0));
  CHECK_THROWS_WITH(give({8, 5}, {4, 3}), "input 'z': row 1 has length 3, the axis 'time/2' has 2");
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
  CHECK(said([&] { set_input<"x">(run, x); }) == "input 'x': expected a multiple of 12 numbers, got 40");
  CHECK(said([&] {
          set_input<"x">(run, view<const float>(x.data(), {1, 4, 3, 1}, {12, 3, 1, 1}));
        }) == "input 'x': expected 3 x 4 places, got 4 x 3");
  CHECK(said([&] {
          set_input<"x">(run, view<const float>(x.data(), {1, 12, 1}, {12, 1, 1}));
        }) == "input 'x': expected 3 x 4 places, got 12 x 1");
  CHECK(said([&] {
          set_input<"x">(run, view<const float>(x.data(), {1, 12}, {12, 1}));
        }) == "input 'x': expected rank 4, or 3, got rank 2");
}

}  // namespace tenon::test
