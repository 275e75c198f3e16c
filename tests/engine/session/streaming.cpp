// Streaming: step by step gives the same results as inference on the whole sequence.
#include "support/sample.hpp"
#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/nn/transformer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

template <class... Layers>
using stack =
    graph<"stack", input<"x", features<3>, steps<9>>, node<"y", chain<Layers...>, "x">, output<"y">>;

// Two sequences of nine steps, twice: `reset` starts again.
template <class G, class Backend>
void check_streaming(double tolerance) {
  constexpr int rows = 2, T = 9, D = 3;
  const parameters<G> theta(seed{3});
  const sample<G> s({T, T}, 5);
  const std::vector<double>& x = s.numbers[0];
  inference<G, batch<rows>, on<Backend>> whole;
  s.feed(whole);
  whole.run(theta);
  const view<const float> expected = get<"y">(whole);
  const auto features = static_cast<std::ptrdiff_t>(expected.shape(2));

  streaming<G, batch<3>, on<Backend>> live;  // one row stays empty
  for (int pass = 0; pass < 2; ++pass) {
    live.reset();
    double worst = 0;
    for (int t = 0; t < T; ++t) {
      const view<const float> y =
          live.step(theta, view<const double>(x.data() + t * D, {rows, D}, {T * D, 1}));
      REQUIRE(y.dimension() == 2);
      REQUIRE(y.shape(0) == rows);
      for (int r = 0; r < rows; ++r)
        for (std::ptrdiff_t j = 0; j < features; ++j)
          worst = worse(worst, std::abs(double(y(r, j)) - double(expected(r, t, j))));
    }
    CHECK(worst <= tolerance);
  }
}

TEST_CASE("step by step is the whole sequence, in the CPU backend") {
  check_streaming<stack<lstm<7, layers<2>>, linear<4>>, backend::cpu>(1e-6);
  check_streaming<stack<linear<5>, residual<gru<5>>>, backend::cpu>(1e-6);
  check_streaming<stack<rnn<2, dropout<0.5>, layers<2>>, dropout<0.5>>, backend::cpu>(1e-6);
}
using continued = graph<"continued", input<"x", features<3>, steps<4>>, input<"h0", features<2>>,
                        node<"y", gru<2>, "x", "h0">, output<"y">>;

TEST_CASE("a stream starts on the initial state it is given, and after that on its own") {
  const parameters<continued> theta(seed{6});
  const float x[4][3]{{1, 2, 3}, {-1, 0, 1}, {2, 2, -2}, {0, 1, 0}};
  const std::array<float, 2> start{0.5f, -0.25f}, other{9.0f, 9.0f};
  inference<continued> whole;
  const auto expected = whole(theta, view<const float>(&x[0][0], {1, 4, 3}, {12, 3, 1}), start);
  streaming<continued> live;
  for (int pass = 0; pass < 2; ++pass) {
    live.reset();
    for (int t = 0; t < 4; ++t) {
      set_input<"h0">(live, t == 0 ? start : other);
      const auto y = live.step(theta, x[t]);
      CHECK(y(0, 0) == doctest::Approx(expected(0, t, 0)).epsilon(1e-6));
      CHECK(y(0, 1) == doctest::Approx(expected(0, t, 1)).epsilon(1e-6));
    }
  }
}
TEST_CASE("step by step is the whole sequence to the bit, in the reference backend") {
  check_streaming<stack<lstm<7, layers<2>>, linear<4>>, backend::reference>(0);
}

using speller = graph<"speller", input<"t", token<5>, steps<9>>, input<"style", features<2>>,
                      node<"y", chain<embedding<5, 3>, gru<4>>, "t">, node<"z", chain<linear<4>>, "style">,
                      node<"sum", add, "y", "z">, output<"sum">>;

TEST_CASE("tokens and inputs without a time axis, as ranges and as views") {
  const parameters<speller> theta(seed{3});
  const std::vector<std::vector<int>> tokens{{1, 4, 0}, {2, 2, 3}};
  const std::vector<float> style{0.5f, -0.5f, 1, 2};
  inference<speller, batch<2>> whole;
  whole(theta, tokens, style);
  streaming<speller, batch<2>> live;
  set_input<"style">(live, style);
  const std::array<std::array<int, 2>, 3> frames{{{1, 2}, {4, 2}, {0, 3}}};
  for (int pass = 0; pass < 3; ++pass) {
    live.reset();
    for (int t = 0; t < 3; ++t) {
      const auto& frame = frames[static_cast<std::size_t>(t)];
      const std::vector<long> wide(frame.begin(), frame.end());
      const auto y = pass == 0   ? live.step(theta, frame)
                     : pass == 1 ? live.step(theta, wide)
                                 : live.step(theta, view<const int>(frame.data(), {2}, {1}));
      for (int r = 0; r < 2; ++r)
        for (int j = 0; j < 4; ++j)
          CHECK(y(r, j) == doctest::Approx(get<"sum">(whole)(r, t, j)).epsilon(1e-6));
    }
  }
}
TEST_CASE("numbers as a range for each row are those of a flat range, of fewer rows, too") {
  using G = stack<lstm<5>>;
  const parameters<G> theta(seed{6});
  streaming<G, batch<3>> flat, nested, mixed;
  for (int t = 0; t < 4; ++t) {
    const std::size_t rows = t < 2 ? 3 : 2;
    std::vector<float> numbers;
    std::vector<std::array<float, 3>> arrays(rows);
    std::vector<std::vector<double>> vectors(rows);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t j = 0; j < 3; ++j) {
        numbers.push_back(std::sin(static_cast<float>(t) + static_cast<float>(5 * r + j)));
        arrays[r][j] = numbers.back();
        vectors[r].push_back(static_cast<double>(numbers.back()));
      }
    const auto y = flat.step(theta, numbers), z = nested.step(theta, arrays);
    const auto w = t % 2 == 0 ? mixed.step(theta, vectors) : mixed.step(theta, numbers);
    REQUIRE((y.shape(0) == rows && z.shape(0) == rows && w.shape(0) == rows));
    for (std::size_t r = 0; r < rows; ++r)
      for (int j = 0; j < 5; ++j) CHECK((y(r, j) == z(r, j) && y(r, j) == w(r, j)));
  }
}
TEST_CASE("numbers as a range for each row count as rows, where a stream keeps so many steps") {
  using G = graph<"G", input<"x", features<4>, steps<2>>,
                  node<"y", transformer_encoder<4, 2, 4, is_causal>, "x">, output<"y">>;
  const parameters<G> theta(seed{6});
  streaming<G, batch<2>> live(theta);
  const std::vector<std::array<float, 4>> x{{1, 2, 3, 4}, {0, -1, 0, 1}};
  live.step(x);
  live.step(x);
  CHECK_THROWS_AS(live.step(x), input_error);
}
TEST_CASE("an initial state binds the first step only, and zeros serve any number of rows") {
  // The second: the state is computed once, from the input.
  using through_a_layer =
      graph<"through_a_layer", input<"x", features<3>, steps<4>>, input<"h0", features<2>>,
            node<"s", linear<2>, "h0">, node<"y", gru<2>, "x", "s">, output<"y">>;
  const auto numbers = [](std::size_t rows) { return std::vector<float>(rows * 3, 0.5f); };
  const auto check = [&]<class G>(const parameters<G>& theta) {
    streaming<G, batch<4>> live(theta), fresh(theta);
    set_input<"h0">(live, zeros{});
    CHECK(live.step(numbers(1)).shape(0) == 1);
    live.permute_rows(std::array{0, 0, 0});
    CHECK(live.step(numbers(3)).shape(0) == 3);
    const std::vector<float> of_four{1, 2, 3, 4, 5, 6, 7, 8};
    set_input<"h0">(live, of_four);  // for the next sequence; it has no influence now
    set_input<"h0">(fresh, of_four);
    const auto y = live.step(numbers(2));
    CHECK(y.shape(0) == 2);
    CHECK(y(0, 0) == y(1, 0));
    live.permute_rows(std::array{1});
    CHECK(live.step(numbers(1)).shape(0) == 1);
    live.reset();
    CHECK_THROWS_AS(live.step(numbers(2)), input_error);
    live.step(numbers(4));
    fresh.step(numbers(4));
    const auto a = live.step(numbers(4)), b = fresh.step(numbers(4));
    for (int r = 0; r < 4; ++r) CHECK(a(r, 1) == b(r, 1));
    live.reset();
    set_input<"h0">(live, zeros{});
    CHECK(live.step(numbers(2)).shape(0) == 2);
  };
  const parameters<continued> theta(seed{6});
  check(theta);
  check(parameters<through_a_layer>(seed{6}));

  streaming<continued, batch<4>> live(theta);
  set_input<"h0">(live, std::vector<float>(8));
  CHECK_THROWS_WITH_AS(
      live.step(numbers(1)),
      "input 'h0' has 4 rows, input 'x' has 1; an initial state of zeros serves any number of "
      "rows: set_input<\"h0\">(session, zeros{})",
      input_error);
  inference<continued, batch<4>> whole(theta);
  set_input<"h0">(whole, zeros{});
  set_input<"x">(whole, std::vector<std::vector<std::vector<float>>>(2, {{1, 2, 3}}));
  whole.run();
  CHECK(get_input<"h0">(whole).shape(0) == 2);
}

// A step whose rows and parameters are unchanged takes a shortcut; a step where they changed must not take it.
TEST_CASE("rows may become fewer and parameters may change between two steps") {
  using G = stack<lstm<5>>;
  parameters<G> theta(seed{6});
  streaming<G, batch<3>> live;
  std::array<streaming<G>, 3> alone;  // each row by itself, from views
  const auto numbers = [](int rows, int t) {
    std::vector<float> x(static_cast<std::size_t>(rows) * 3);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<float>(t) + static_cast<float>(k));
    return x;
  };
  const auto rows_alone = [&](const std::vector<float>& x, int rows, auto check) {
    for (int r = 0; r < rows; ++r)
      check(r, alone[static_cast<std::size_t>(r)].step(theta,
                                                       view<const float>(x.data() + 3 * r, {1, 3}, {3, 1})));
  };
  int t = 0;
  for (int rows : {3, 3, 3, 3, 2, 2, 1, 1}) {
    if (t == 3) get<"y.0.bias_ih_l0">(theta)(1) = 2;
    const std::vector<float> x = numbers(rows, t++);
    const std::vector<double> wide(x.begin(), x.end());
    const auto y = t % 2 == 0 ? live.step(theta, x) : live.step(theta, wide);
    REQUIRE(y.shape(0) == rows);
    rows_alone(x, rows, [&](int r, const auto& z) {
      for (int j = 0; j < 5; ++j) CHECK(std::abs(y(r, j) - z(0, j)) <= 1e-6f);
    });
  }
  live.permute_rows(std::array{0, 0, 0});
  for (std::size_t r : {1u, 2u}) copy_states(alone[0], alone[r]);
  for (int rows : {3, 2}) {
    const std::vector<float> x = numbers(rows, t++);
    const auto y = live.step(theta, x);
    rows_alone(x, rows, [&](int r, const auto& z) {
      for (int j = 0; j < 5; ++j) CHECK(std::abs(y(r, j) - z(0, j)) <= 1e-6f);
    });
  }
}
template <class G>
void check_more_rows() {
  const parameters<G> theta(seed{6});
  streaming<G, batch<3>> live(theta), same(theta);
  const auto numbers = [](std::size_t rows) { return std::vector<float>(rows * 3, 0.5f); };
  const auto refused = [&](int expected, std::size_t rows) {
    const std::string message = "step: expected at most " + std::to_string(expected) +
                                " rows, as the stream has, got " + std::to_string(rows) +
                                "; reset the stream, or choose their states by permute_rows";
    CHECK_THROWS_WITH_AS(live.step(numbers(rows)), message.c_str(), input_error);
    CHECK(live.rows() == 2);
  };
  live.step(numbers(2));
  same.step(numbers(2));
  refused(2, 3);
  const auto y = live.step(numbers(2)), z = same.step(numbers(2));  // nothing has changed
  for (int r = 0; r < 2; ++r)
    for (int j = 0; j < 3; ++j) CHECK(y(r, j) == z(r, j));
  live.permute_rows(std::array{1});
  refused(1, 2);
  refused(1, 3);
  refused(1, 2);
  live.step(numbers(1));
  live.reset();
  CHECK(live.step(numbers(3)).shape(0) == 3);
}
TEST_CASE("rows that have no state to go on from are refused") {
  check_more_rows<stack<lstm<3>>>();
  check_more_rows<graph<"G", input<"x", features<3>, steps<9>>,
                        node<"y", transformer_encoder<3, 1, 4, is_causal>, "x">, output<"y">>>();
}
// A graph that carries nothing from step to step, compared with a whole run of each step alone. Without steps, all inputs stay.
using by_rows = graph<"by_rows", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
using by_steps = graph<"by_steps", input<"x", features<3>, steps<4>>, input<"z", features<2>>,
                       node<"a", linear<2>, "x">, node<"y", add, "a", "z">, output<"y">>;
template <class G>
constexpr bool carries_nothing = [] {
  using plan = typename streaming<G, batch<3>>::plan;
  return engine::carried_states<plan>.empty() && engine::histories_of<plan>.empty() &&
         !plan::has_counted_steps;
}();
static_assert(carries_nothing<by_rows> && carries_nothing<by_steps> && !carries_nothing<stack<lstm<3>>>);
static_assert(engine::given_inputs<streaming<by_rows>::plan, true>.empty());
TEST_CASE("rows may become more where nothing is carried") {
  const parameters<by_rows> theta(seed{6});
  const parameters<by_steps> of_steps(seed{7});
  streaming<by_rows, batch<3>> rows(theta);
  streaming<by_steps, batch<3>> one_by_one(of_steps);
  int t = 0;
  for (const int n : {2, 3, 1, 3, 3}) {
    std::vector<float> x(static_cast<std::size_t>(n) * 3), z(static_cast<std::size_t>(n) * 2, 0.5f);
    for (float& number : x) number = std::sin(static_cast<float>(++t));
    inference<by_rows, batch<3>> of_rows;
    set_input<"x">(rows, x);
    if (n == 1) rows.permute_rows(std::array{0});
    const auto a = rows.step(), b = of_rows(theta, x);
    REQUIRE(a.shape(0) == n);
    CHECK(std::equal(a.begin(), a.end(), b.begin()));
    inference<by_steps, batch<3>, steps<1>> of_one;
    set_input<"z">(one_by_one, z);
    const auto c = one_by_one.step(x);
    const auto d = of_one(of_steps, view<const float>(x.data(), {n, 1, 3}, {3, 3, 1}), z);
    REQUIRE(c.shape(0) == n);
    CHECK(std::equal(c.begin(), c.end(), d.begin()));
  }
}

// A state has two places, which are read in turn; one row goes through many units in serpentine order, and with 33
// LSTM units of 33 features also through their products.
template <int Rows, class T>
void check_repetition() {
  using G = stack<lstm<33, layers<2>>, gru<9, layers<3>>>;
  const parameters<G, T> theta(seed{8});
  streaming<G, batch<Rows>, scalar_type<T>> live;
  const auto run = [&](int steps) {
    std::vector<T> all;
    live.reset();
    for (int t = 0; t < steps; ++t) {
      std::array<T, 3 * Rows> x{T(t), T(0.5), T(-1)};
      if (Rows > 1) x[3] = T(-t);
      const auto y = live.step(theta, x);
      for (int r = 0; r < Rows; ++r)
        for (int j = 0; j < 9; ++j) all.push_back(y(r, j));
    }
    return all;
  };
  const std::vector<T> first = run(5);
  CHECK(run(5) == first);
  CHECK(run(4) == std::vector<T>(first.begin(), first.begin() + 4 * 9 * Rows));
  CHECK(run(5) == first);
}
TEST_CASE("a stream that begins anew gives the same bits, after however many steps") {
  check_repetition<1, float>();
  check_repetition<2, float>();
  check_repetition<1, double>();
}
TEST_CASE("an output that is an input may be given back") {
  using G =
      graph<"echo", input<"x", features<3>, steps<4>>, node<"h", gru<2>, "x">, output<"x">, output<"h">>;
  const parameters<G> theta(seed{2});
  streaming<G> live;
  auto [x, h] = live.step(theta, std::array<float, 3>{1, -2, 0.5f});
  for (int t = 0; t < 3; ++t) std::tie(x, h) = live.step(theta, std::span<const float>(x.data(), 3));
  CHECK(x(0, 0) == 1);
  CHECK(x(0, 1) == -2);
  CHECK(x(0, 2) == 0.5f);
}

TEST_CASE("a wrong step is an error and leaves the states alone") {
  using G = stack<lstm<4>>;
  const parameters<G> theta(seed{3});
  const std::vector<float> x(12, 0.25f);
  streaming<G, batch<2>> live, other;
  live.step(theta, std::vector<float>(6, 0.5f));
  other.step(theta, std::vector<float>(6, 0.5f));
  CHECK_THROWS_WITH_AS(live.step(theta, std::vector<float>(5)),
                       "input 'x': expected a multiple of 3 numbers, got 5", input_error);
  CHECK_THROWS_WITH_AS(live.step(theta, std::vector<float>(9)),
                       "input 'x': at most 2 rows fit into batch<2>, got 3", input_error);
  CHECK_THROWS_WITH_AS(live.step(theta, std::vector<std::vector<float>>{{1, 2, 3}, {1, 2}}),
                       "input 'x': row 1: expected 3 numbers, got 2", input_error);
  CHECK_THROWS_WITH_AS(live.step(theta, std::vector<std::array<float, 3>>(3)),
                       "input 'x': at most 2 rows fit into batch<2>, got 3", input_error);
  CHECK_THROWS_WITH_AS(live.step(theta, view<const float>(x.data(), {6}, {1})),
                       "input 'x': expected rank 2 for one step, got rank 1", input_error);
  CHECK_THROWS_WITH_AS(live.step(theta, view<const float>(x.data(), {2, 2}, {2, 1})),
                       "input 'x': expected 3 features, got 2", input_error);
  const auto y = live.step(theta, std::vector<float>(6, 1)), z = other.step(theta, std::vector<float>(6, 1));
  for (int r = 0; r < 2; ++r)
    for (int j = 0; j < 4; ++j) CHECK(y(r, j) == z(r, j));
}

}  // namespace tenon::test
