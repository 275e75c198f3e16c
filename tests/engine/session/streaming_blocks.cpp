// Streams that take blocks of steps: whatever the lengths of the blocks, each step gives what single steps give.
#include "support/allocations.hpp"
#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int most = 23, size = 3;  // steps, features
template <class... Nodes>
using seeing = graph<"seeing", input<"x", features<size>, steps<most>>, Nodes..., output<"y">>;

// Attention to this step and two before it, with a distance that is not learned.
struct of_last_three : equations::symbols {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(W<"k", 5>(x));
    const auto distance = position_of<"time">(x) - position_of<"keys">(keys);
    const auto is_hidden = greater(0, distance) + greater(distance, 2);
    return sum<"keys">(softmax<"keys">(masked(dot(W<"q", 5>(x), keys) - 0.25 * distance, is_hidden)) *
                       as_axis<"keys">(V<"v", 3>(x)));
  }
};
struct differences : equations::symbols {
  static constexpr auto at(auto x) {
    return concat(x - shift<1, "time">(x), W<"w", size>(shift<4, "time">(tanh(x))) +
                                               shift<2, "time">(tanh(x)) * position_of<"time">(x));
  }
};

using recurrent_layers = seeing<node<"a", gru<5>, "x">, node<"b", lstm<7>, "a">, node<"y", linear<2>, "b">>;
using convolutions = seeing<node<"a", chain<conv1d<5, 3, is_causal, dilation<2>>, activation::tanh>, "x">,
                            node<"b", conv1d<4, 2, is_causal, dilation<7>>, "a">,
                            node<"y", max_pool1d<2, stride<1>, is_causal>, "b">>;
using shifts = seeing<node<"y", differences, "x">>;
using three = seeing<node<"y", of_last_three, "x">>;
using heads = seeing<node<"h", multi_head<size, 1, is_causal>, "x">, node<"y", linear<2>, "h">>;
using stack =
    seeing<node<"p", learned_positions<most>, "x">,
           node<"a", transformer_encoder<size, 1, 6, is_causal, norm_first>, "p">, node<"l", lstm<size>, "a">,
           node<"c", conv1d<size, 2, is_causal>, "l">, node<"s", differences, "c">, node<"y", gru<4>, "s">>;

float number(int row, int t, int j) {
  return std::sin(0.7f * float(row + 1) + 1.3f * float(t) + 2.1f * float(j * j));
}
std::vector<float> step_of(const std::vector<int>& rows, int t) {
  std::vector<float> x;
  for (int r : rows)
    for (int j = 0; j < size; ++j) x.push_back(number(r, t, j));
  return x;
}
// Steps [first, first + count) of a row.
using steps_of_row = std::vector<std::array<float, size>>;
steps_of_row steps_of(int row, int first, int count) {
  steps_of_row x;
  for (int t = first; t < first + count; ++t)
    x.push_back({number(row, t, 0), number(row, t, 1), number(row, t, 2)});
  return x;
}
template <class Y, class Z>
double distance(const Y& block, int row, int t, const Z& step, int of) {
  double worst = 0;
  for (std::size_t k = 0; k < step.shape(1); ++k)
    worst = worse(worst, std::abs(double(block(row, t, k)) - double(step(of, k))));
  return worst;
}

template <class G, class Backend = backend::cpu>
void check_blocks(double tolerance = 1e-6) {
  CAPTURE(std::string(typeid(G).name()));
  const parameters<G> theta(seed{3});

  // One row: its steps in a flat range, in blocks of changing lengths, and single steps between them.
  streaming<G, on<Backend>> single(theta);
  streaming<G, block<5>, on<Backend>> live(theta);
  double worst = 0;
  for (int pass = 0; pass < 2; ++pass) {
    int t = 0;
    for (int count : {1, 5, 2, 5, 5, 3}) {
      std::vector<float> x;
      for (int s = t; s < t + count; ++s)
        for (float f : step_of({0}, s)) x.push_back(f);
      const auto y = live.run(x);
      REQUIRE(y.shape(0) == 1);
      REQUIRE(y.shape(1) == std::size_t(count));
      for (int s = 0; s < count; ++s, ++t)
        worst = worse(worst, distance(y, 0, s, single.step(step_of({0}, t)), 0));
    }
    const auto y = live.step(step_of({0}, t));
    const auto z = single.step(step_of({0}, t));
    for (std::size_t k = 0; k < z.shape(1); ++k)
      worst = worse(worst, std::abs(double(y(0, k)) - double(z(0, k))));
    single.reset();
    live.reset();
  }
  CHECK(worst <= tolerance);

  // Three rows that end within a block, or do not run in it, against a stream of its own for each.
  streaming<G, batch<4>, block<5>, on<Backend>> rows(theta);
  streaming<G, on<Backend>> alone[3]{streaming<G, on<Backend>>(theta), streaming<G, on<Backend>>(theta),
                                     streaming<G, on<Backend>>(theta)};
  int taken[3]{};
  const std::array<std::array<int, 3>, 4> counts{{{5, 3, 1}, {2, 0, 5}, {0, 4, 4}, {1, 1, 1}}};
  for (const auto& of_rows : counts) {
    std::vector<steps_of_row> x;
    for (int r = 0; r < 3; ++r) x.push_back(steps_of(r, taken[r], of_rows[std::size_t(r)]));
    const auto y = rows.run(x);
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < int(y.shape(1)); ++s) {
        if (s < of_rows[std::size_t(r)])
          worst = worse(worst, distance(y, r, s, alone[r].step(step_of({r}, taken[r]++)), 0));
        else
          for (std::size_t k = 0; k < y.shape(2); ++k) CHECK(y(r, s, k) == 0);
      }
  }
  CHECK(worst <= tolerance);

  // Rows change places, one is continued twice; a stream of single steps goes on from there, and one of longer blocks from that.
  rows.permute_rows(std::array{2, 0, 2});
  streaming<G, batch<3>, on<Backend>> steps(theta);
  copy_states(rows, steps);
  streaming<G, batch<5>, block<7>, on<Backend>> longer(theta);
  copy_states(steps, longer);
  const auto y =
      longer.run(std::vector{steps_of(2, taken[2], 6), steps_of(0, taken[0], 6), steps_of(2, taken[2], 6)});
  for (int s = 0; s < 6; ++s) {
    std::vector<float> x = step_of({2}, taken[2] + s);
    for (int r : {0, 2})
      for (float f : step_of({r}, taken[r] + s)) x.push_back(f);
    const auto of_two = alone[2].step(step_of({2}, taken[2] + s)),
               of_none = alone[0].step(step_of({0}, taken[0] + s));
    const auto z = steps.step(x);
    for (int r : {0, 2}) worst = worse(worst, distance(y, r, s, of_two, 0));
    worst = worse(worst, distance(y, 1, s, of_none, 0));
    for (int r : {0, 1, 2}) worst = worse(worst, distance(y, r, s, z, r));
  }
  CHECK(worst <= tolerance);
}

TEST_CASE("recurrent layers in blocks") {
  check_blocks<recurrent_layers>();
  check_blocks<recurrent_layers, backend::reference>();
}
TEST_CASE("causal convolutions and pooling in blocks") {
  check_blocks<convolutions>();
  check_blocks<convolutions, backend::reference>();
}
TEST_CASE("shifts and positions in blocks") { check_blocks<shifts>(4e-6); }
TEST_CASE("causal attention in blocks") {
  check_blocks<three>();
  check_blocks<heads>();
}
TEST_CASE("all of them in blocks") {
  check_blocks<stack>(4e-6);
  check_blocks<stack, backend::reference>(4e-6);
}

TEST_CASE("blocks of one length give the same bits, whatever was before") {
  const parameters<stack> theta(seed{3});
  streaming<stack, block<6>> one(theta), other(theta);
  other.run(steps_of(1, 0, 4));
  other.reset();
  for (int t = 0; t < 18; t += 6) {
    const auto y = one.run(steps_of(0, t, 6)), z = other.run(steps_of(0, t, 6));
    CHECK(std::vector<float>(y.begin(), y.end()) == std::vector<float>(z.begin(), z.end()));
  }
}

TEST_CASE("a block of one step, by its option") {
  const parameters<stack> theta(seed{3});
  streaming<stack, block<1>> one(theta);
  streaming<stack> live(theta);
  for (int t = 0; t < most; ++t) {
    const auto y = one.run(steps_of(0, t, 1));
    const auto z = live.step(step_of({0}, t));
    for (std::size_t k = 0; k < 4; ++k) CHECK(y(0, 0, k) == z(0, k));
  }
}

// One sample per step: each row a range of samples, as an audio host hands over its channels.
using sound = graph<"sound", input<"sample", features<1>, steps<64>>, node<"states", lstm<6>, "sample">,
                    node<"y", linear<1>, "states">, output<"y">>;
TEST_CASE("channels are rows, each a range of samples") {
  const parameters<sound> theta(seed{5});
  std::vector<float> left, right;
  for (int t = 0; t < 48; ++t) {
    left.push_back(number(0, t, 0));
    right.push_back(number(1, t, 0));
  }
  streaming<sound, batch<2>, block<16>> live(theta);
  streaming<sound> alone(theta);
  std::vector<float> heard;
  for (std::size_t t = 0; t < 48; t += 16) {
    const auto y = live.run(std::array{std::span<const float>(left).subspan(t, 16),
                                       std::span<const float>(right).subspan(t, 16)});
    for (std::size_t s = 0; s < 16; ++s) heard.push_back(y(1, s, 0));
  }
  for (std::size_t t = 0; t < 48; ++t)
    CHECK(heard[t] == doctest::Approx(alone.step(std::array{right[t]})(0, 0)).epsilon(1e-5));
}
TEST_CASE("what goes in and what comes out may be the same memory") {
  const parameters<sound> theta(seed{5});
  streaming<sound, block<16>> live(theta), other(theta);
  std::vector<float> samples;
  for (int t = 0; t < 16; ++t) samples.push_back(number(0, t, 0));
  const auto y = other.run(samples);
  const std::vector<float> expected(y.begin(), y.end());
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<float> buffer = samples;
    live.reset();
    const auto z = live.run(buffer);
    std::copy(z.begin(), z.end(), buffer.begin());
    CHECK(buffer == expected);
  }
}

// An encoder's sequence is given whole, the decoder's in blocks.
struct attending : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto weights = softmax<"source">(dot(W<"q", 8>(s), U<"k", 8>(memory)));
    return tanh(W<"y">(y) + U<"s">(s) + V<"c">(sum<"source">(weights * memory)));
  }
};
using translator = graph<"translator", input<"sentence", token<20>, steps<12, "source">>,
                         input<"word", token<20>, steps<12, "target">>,
                         node<"read", chain<embedding<20, 8>, gru<6, bidirectional>>, "sentence">,
                         node<"before", embedding<20, 8>, "word">,
                         node<"decoder", recurrent<attending, hidden<10>>, "before", "read">,
                         node<"logits", linear<20>, "decoder">, output<"logits">, output<"decoder.final">>;
TEST_CASE("an encoder-decoder in blocks") {
  const parameters<translator> theta(seed{3});
  streaming<translator, batch<3>, block<4>> live(theta);
  streaming<translator, batch<3>> single(theta);
  const std::vector<std::vector<int>> sentences{{3, 1, 4, 1, 5}, {9, 2}};
  set_input<"sentence">(live, sentences);
  set_input<"sentence">(single, sentences);
  const std::vector<std::vector<int>> words{{1, 7, 7, 2, 19, 0, 3}, {4, 4, 11, 2, 8, 13, 6}};
  double worst = 0;
  for (std::size_t first = 0; first < 7; first += 4) {
    const std::size_t count = std::min<std::size_t>(4, 7 - first);
    std::vector<std::vector<int>> some;
    for (const auto& row : words)
      some.emplace_back(row.begin() + std::ptrdiff_t(first), row.begin() + std::ptrdiff_t(first + count));
    const auto [y, last] = live.run(some);
    REQUIRE(last.rank() == 2);
    for (std::size_t s = 0; s < count; ++s) {
      const auto [z, end] = single.step(std::vector{words[0][first + s], words[1][first + s]});
      for (int r : {0, 1}) {
        worst = worse(worst, distance(y, r, int(s), z, r));
        if (s + 1 == count)
          for (std::size_t k = 0; k < 10; ++k)
            worst = worse(worst, std::abs(double(last(r, k)) - double(end(r, k))));
      }
    }
  }
  CHECK(worst <= 1e-6);
}

struct mixing : equations::symbols {
  static constexpr auto at(auto x, auto z, auto context) {
    return tanh(W<"x", 4>(x) + U<"z", 4>(z) * context);
  }
};
TEST_CASE("two inputs with steps, and one that stays") {
  using G = graph<"mixed", input<"x", features<2>, steps<8>>, input<"z", features<1>, steps<8>>,
                  input<"context", features<4>>, node<"m", mixing, "x", "z", "context">,
                  node<"y", gru<3>, "m">, output<"y">>;
  const parameters<G> theta(seed{3});
  streaming<G, block<4>> live(theta);
  streaming<G> single(theta);
  const std::array context{0.5f, -1.0f, 2.0f, 0.1f};
  set_input<"context">(live, context);
  set_input<"context">(single, context);
  const std::array x{0.1f, 0.2f, -0.3f, 0.4f, 0.5f, -0.6f};
  const std::array z{1.0f, -1.0f, 0.5f};
  for (int pass = 0; pass < 2; ++pass) {
    const auto y = live.run(x, z);
    for (std::size_t t = 0; t < 3; ++t) {
      const auto s = single.step(std::array{x[2 * t], x[2 * t + 1]}, std::array{z[t]});
      for (std::size_t k = 0; k < 3; ++k) CHECK(y(0, t, k) == doctest::Approx(s(0, k)).epsilon(1e-5));
    }
  }
  CHECK_THROWS_WITH_AS(live.run(x, std::array{1.0f, 2.0f}),
                       "run: row 0 has 3 steps of input 'x' and 2 of input 'z'; a run takes as many of each",
                       input_error);
}

TEST_CASE("what is wrong is refused, and nothing changes") {
  const parameters<heads> theta(seed{3});
  streaming<heads, batch<2>, block<5>> live(theta), other(theta);
  const auto two = [](int first, int count) {
    return std::vector{steps_of(0, first, count), steps_of(1, first, count)};
  };
  live.run(two(0, 5));
  CHECK_THROWS_WITH_AS(live.run(two(5, 6)), "input 'x': row 0: length 6 is beyond the bound of 5 steps",
                       input_error);
  CHECK_THROWS_WITH_AS(live.run(std::vector<steps_of_row>(2)),
                       "run: expected at least one step, got none in any row", input_error);
  CHECK_THROWS_AS(live.run(std::vector<steps_of_row>(3, steps_of(0, 5, 1))), input_error);
  other.run(two(0, 5));
  other.run(two(5, 1));
  const auto y = live.run(two(5, 1)), z = get<"y">(other);
  CHECK(std::vector<float>(y.begin(), y.end()) == std::vector<float>(z.begin(), z.end()));

  for (int t = 6; t < 21; t += 5) live.run(two(t, 5));
  CHECK_THROWS_WITH_AS(
      live.run(two(21, 3)),
      "run: row 0 has taken 21 steps, and the axis 'time' has no 3 more; reset the stream, or give it "
      "a larger bound, steps<n, \"time\">",
      input_error);
  CHECK_NOTHROW(live.run(two(21, 2)));

  streaming<heads, batch<3>, block<5>> fewer(theta);
  fewer.run(std::vector<steps_of_row>(1, steps_of(0, 0, 2)));
  CHECK_THROWS_WITH_AS(
      fewer.run(two(2, 2)),
      "run: expected at most 1 rows, as the stream has, got 2; reset the stream, or choose their "
      "states by permute_rows",
      input_error);
  const parameters<convolutions> weights(seed{3});
  streaming<convolutions, block<5>> flat(weights);
  CHECK_THROWS_WITH_AS(flat.run(std::vector<float>(7)), "input 'x': expected a multiple of 3 numbers, got 7",
                       input_error);
}

TEST_CASE("states between blocks") {
  const parameters<recurrent_layers> theta(seed{3});
  streaming<recurrent_layers, block<5>> live(theta), other(theta);
  live.run(steps_of(0, 0, 5));
  live.run(steps_of(0, 5, 3));
  const auto h = get_state<"a">(live), c = get_state<"b.c_n">(live), b = get_state<"b">(live);
  set_state<"a">(other, h);
  set_state<"b.c_n">(other, c);
  set_state<"b">(other, b);
  const auto y = live.run(steps_of(0, 8, 4)), z = other.run(steps_of(0, 8, 4));
  CHECK(std::vector<float>(y.begin(), y.end()) == std::vector<float>(z.begin(), z.end()));
}

TEST_CASE("a run allocates nothing") {
  const parameters<stack> theta(seed{3});
  streaming<stack, batch<2>, block<5>> live(theta);
  const std::vector x{steps_of(0, 0, 5), steps_of(1, 0, 4)};
  CHECK(allocations_of([&] {
          for (int pass = 0; pass < 3; ++pass) {
            live.reset();
            live.run(x);
            live.permute_rows(std::array{1, 1});
            live.run(x);
          }
        }) == 0);
}

}  // namespace tenon::test
