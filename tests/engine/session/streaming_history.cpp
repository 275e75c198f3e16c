// Streams of layers that see earlier steps: causal attention, convolutions, shifts, positions. Each step gives the results of a
// whole run at that step, whatever happens to the rows meanwhile.
#include "support/allocations.hpp"
#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int most = 7, size = 4;  // steps, features
template <class... Nodes>
using seeing = graph<"seeing", input<"x", features<size>, steps<most>>, Nodes..., output<"y">>;

// A test's own attention: over the last three steps, with scores that contain an unlearned distance.
struct of_last_three : equations::symbols {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(W<"k", 5>(x));
    const auto here = position_of<"time">(x), there = position_of<"keys">(keys);
    const auto score = dot(W<"q", 5>(x), keys) - 0.25 * (here - there);
    const auto hidden =
        select(greater(there - here, 0), -1e30, select(greater(here - there, 2), -1e30, score));
    return sum<"keys">(softmax<"keys">(hidden) * as_axis<"keys">(V<"v", 3>(x)));
  }
};
// A mean of all steps so far, without a softmax.
struct running_mean {
  static constexpr auto at(auto x) {
    const auto then = as_axis<"earlier">(x);
    const auto here = position_of<"time">(x);
    const auto counts = select(greater(position_of<"earlier">(then), here), 0, 1);
    return concat(sum<"earlier">(counts * tanh(then)) / (here + 1), x);
  }
};
// The same beside a vector that no step changes: values that depend only on the vector are computed once, the others are not.
struct mean_beside : equations::symbols {
  static constexpr auto at(auto x, auto context) {
    const auto then = as_axis<"earlier">(x);
    const auto here = position_of<"time">(x);
    const auto counts = select(greater(position_of<"earlier">(then), here), 0, 1);
    return sum<"earlier">(counts * tanh(then)) / (here + 1) + tanh(W<"c", size>(context));
  }
};
struct differences : equations::symbols {
  static constexpr auto at(auto x) {
    return concat(x - shift<1, "time">(x),
                  W<"w", size>(shift<3, "time">(tanh(x))) + shift<1, "time">(tanh(x)));
  }
};

using three = seeing<node<"y", of_last_three, "x">>;
using means = seeing<node<"y", running_mean, "x">>;
using shifts = seeing<node<"y", differences, "x">>;
using heads = graph<"heads", input<"x", features<size>, steps<most>>,
                    node<"y", multi_head<size, 2, is_causal>, "x">, output<"y">, output<"y.weights">>;
using convolutions = seeing<node<"a", chain<conv1d<5, 3, is_causal, dilation<2>>, activation::tanh>, "x">,
                            node<"y", max_pool1d<2, stride<1>, is_causal>, "a">>;
using stack = seeing<node<"p", learned_positions<most>, "x">,
                     node<"a", transformer_encoder<size, 2, 6, is_causal, norm_first>, "p">,
                     node<"l", lstm<size>, "a">, node<"c", conv1d<size, 2, is_causal>, "l">,
                     node<"y", transformer_encoder<size, 1, 6, is_causal>, "c">>;

// The input of a row at a step, different for each row.
float number(int row, int t, int j) {
  return std::sin(0.7f * float(row + 1) + 1.3f * float(t) + 2.1f * float(j * j));
}
std::vector<float> step_of(std::initializer_list<int> rows, int t) {
  std::vector<float> x;
  for (int r : rows)
    for (int j = 0; j < size; ++j) x.push_back(number(r, t, j));
  return x;
}
std::vector<float> sequences(int rows) {
  std::vector<float> x;
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < most; ++t)
      for (int j = 0; j < size; ++j) x.push_back(number(r, t, j));
  return x;
}

// Row r of a step as row `of` of the whole run at step t.
template <ir::text Name = "y", class Live, class Whole>
double distance(const Live& live, const Whole& whole, int r, int of, int t) {
  const auto y = get<Name>(live);
  double worst = 0;
  for (std::size_t k = 0; k < y.shape(1); ++k)
    worst = worse(worst, std::abs(double(y(r, k)) - double(get<Name>(whole)(of, t, k))));
  return worst;
}

template <class G, class Backend = backend::cpu>
void check_stream(double tolerance = 3e-6) {
  CAPTURE(std::string(G::title));
  const parameters<G> theta(seed{3});
  inference<G, batch<3>, on<Backend>> whole(theta);
  const std::vector<float> x = sequences(3);
  whole(view<const float>(x.data(), {3, most, size}, {most * size, size, 1}));

  // One row, fewer rows than the batch holds, and twice, to check that the first sequence has no effect on the second.
  streaming<G, on<Backend>> single(theta);
  streaming<G, batch<4>, on<Backend>> live(theta);
  double worst = 0;
  for (int pass = 0; pass < 2; ++pass) {
    single.reset();
    live.reset();
    for (int t = 0; t < most; ++t) {
      single.step(step_of({2}, t));
      live.step(step_of({0, 1, 2}, t));
      worst = worse(worst, distance(single, whole, 0, 2, t));
      for (int r = 0; r < 3; ++r) worst = worse(worst, distance(live, whole, r, r, t));
    }
  }
  CHECK(worst <= tolerance);

  // Rows change their places, one is continued twice, and one is dropped; then a stream with other rows takes over their states.
  live.reset();
  for (int t = 0; t < 3; ++t) live.step(step_of({0, 1, 2}, t));
  live.permute_rows(std::array{2, 0, 2, 2});
  for (int t = 3; t < 5; ++t) {
    live.step(step_of({2, 0, 2, 2}, t));
    for (int r : {0, 2, 3}) worst = worse(worst, distance(live, whole, r, 2, t));
    worst = worse(worst, distance(live, whole, 1, 0, t));
  }
  live.permute_rows(std::array{1, 0});
  streaming<G, batch<2>, on<Backend>> other(theta);
  other.step(step_of({1}, 0));
  copy_states(live, other);
  for (int t = 5; t < most; ++t) {
    other.step(step_of({0, 2}, t));
    live.step(step_of({0, 2}, t));
    for (int r : {0, 1}) {
      worst = worse(worst, distance(other, whole, r, 2 * r, t));
      worst = worse(worst, distance(live, whole, r, 2 * r, t));
    }
  }
  CHECK(worst <= tolerance);
}

TEST_CASE("attention of one's own to the last steps") {
  check_stream<three>();
  check_stream<three, backend::reference>();
}
TEST_CASE("a mean of all steps so far") { check_stream<means>(); }
TEST_CASE("a mean of all steps so far, beside a vector that stays") {
  using G = graph<"beside", input<"x", features<size>, steps<most>>, input<"context", features<2>>,
                  node<"y", mean_beside, "x", "context">, output<"y">>;
  const parameters<G> theta(seed{3});
  const std::vector<float> x = sequences(1), context{0.5f, -1.5f};
  inference<G> whole(theta);
  streaming<G> live(theta);
  whole(view<const float>(x.data(), {1, most, size}, {most * size, size, 1}), context);
  set_input<"context">(live, context);
  for (int t = 0; t < most; ++t) {
    live.step(step_of({0}, t));
    CHECK(distance(live, whole, 0, 0, t) < 1e-6);
  }
}
TEST_CASE("earlier steps, one by one") {
  check_stream<shifts>();
  check_stream<shifts, backend::reference>();
}
TEST_CASE("causal heads, and their weights") {
  check_stream<heads>();
  const parameters<heads> theta(seed{3});
  inference<heads> whole(theta);
  streaming<heads> live(theta);
  const std::vector<float> x = sequences(1);
  whole(view<const float>(x.data(), {1, most, size}, {most * size, size, 1}));
  for (int t = 0; t < most; ++t) {
    live.step(step_of({0}, t));
    CHECK(distance<"y.weights">(live, whole, 0, 0, t) < 1e-6);
    if (t + 1 < most) CHECK(get<"y.weights">(live)(0, t + 1) == 0);
  }
}
TEST_CASE("causal convolutions and pooling") {
  check_stream<convolutions>();
  check_stream<convolutions, backend::reference>();
}
TEST_CASE("blocks of a transformer, a recurrence and a convolution in one stack") { check_stream<stack>(); }

TEST_CASE("what looks a few steps back has no bound, what sees all of them has that of the axis") {
  const parameters<convolutions> theta(seed{3});
  streaming<convolutions> endless(theta);
  for (int t = 0; t < 5 * most; ++t) endless.step(step_of({0}, t));
  const auto y = get<"y">(endless);
  const std::vector<float> last(y.begin(), y.end());
  streaming<convolutions> shorter(theta);  // it reaches back to 5 steps before
  for (int t = 5 * most - 6; t < 5 * most; ++t) shorter.step(step_of({0}, t));
  for (std::size_t k = 0; k < 5; ++k) CHECK(get<"y">(shorter)(0, k) == doctest::Approx(last[k]));

  const parameters<heads> weights(seed{3});
  streaming<heads, batch<2>> live(weights);
  for (int t = 0; t < most; ++t) live.step(step_of({0, 1}, t));
  const auto z = get<"y">(live);
  const std::vector<float> before(z.begin(), z.end());
  CHECK_THROWS_WITH_AS(
      live.step(step_of({0, 1}, 0)),
      "step: row 0 has taken 7 steps, and the axis 'time' has no more; reset the stream, or give it "
      "a larger bound, steps<n, \"time\">",
      input_error);
  const auto after = get<"y">(live);
  CHECK(before == std::vector<float>(after.begin(), after.end()));
  live.reset();
  CHECK_NOTHROW(live.step(step_of({0, 1}, 0)));

  streaming<three, steps<2>> short_one;
  streaming<three, steps<2 * most>> long_one;
  const parameters<three> own(seed{3});
  for (int t = 0; t < 2 * most; ++t) long_one.step(own, step_of({0}, t));
  for (int t = 0; t < 2; ++t) short_one.step(own, step_of({0}, t));
  CHECK_THROWS_AS(short_one.step(own, step_of({0}, 2)), input_error);
  CHECK_THROWS_WITH_AS(copy_states(long_one, short_one),
                       "copy_states: a row has taken 14 steps, and the other stream has a bound of 2",
                       input_error);
  copy_states(short_one, long_one);
  CHECK_NOTHROW(long_one.step(own, step_of({0}, 2)));
}

TEST_CASE("a step allocates nothing, nor does moving what it has seen") {
  const parameters<stack> theta(seed{3});
  streaming<stack, batch<2>> live(theta), other(theta);
  std::vector<float> x = step_of({0, 1}, 0);
  CHECK(allocations_of([&] {
          for (int pass = 0; pass < 2; ++pass) {
            live.reset();
            for (int t = 0; t < 3; ++t) {
              live.step(x);
              live.permute_rows(std::array{1, 1});
            }
            copy_states(live, other);
            other.step(x);
          }
        }) == 0);
}

}  // namespace tenon::test
