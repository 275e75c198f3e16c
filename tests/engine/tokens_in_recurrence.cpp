// Tokens inside a recurrence: a step that looks up the embedding of the target's token, of its own last prediction, or of one of
// them at random, and a recurrence without an input x. Tested against loops over steps, in streams, and by the laws.
#include "support/laws.hpp"
#include "tenon/engine/session/streaming.hpp"
#include "tenon/nn/cell_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int words = 7, wide = 4, units = 6, T = 5;

// One step of a decoder, from its own last token.
struct alone : equations::symbols {
  static constexpr auto step(auto s, auto last) {
    const auto next_s = tanh(W<>(matrix<"embedding", wide>(one_hot<words>(last))) + U<"", units>(s) + b<>);
    return next(next_s, argmax(matrix<"scores", words>(next_s))).emitting(matrix<"scores", words>(next_s));
  }
};
struct forced {  // the target's
  static constexpr auto step(auto token, auto s, auto) { return alone::step(s, token); }
};
struct mixed {
  static constexpr auto step(auto token, auto s, auto last) {
    return alone::step(s, select(bernoulli<0.5>(token), token, last));
  }
};

template <class Cell>
using with_targets =
    graph<"with targets", input<"token", token<words>, steps<T>>, input<"s", features<units>>,
          input<"first", features<1>>, node<"y", recurrent<Cell, hidden<units, 1>>, "token", "s", "first">,
          output<"y">, output<"y.h_n">>;
using by_itself = graph<"by itself", input<"s", features<units>>, input<"first", features<1>>,
                        node<"y", recurrent<alone, hidden<units, 1>, steps<T, "answer">>, "s", "first">,
                        output<"y">, output<"y.h_n">>;

std::vector<float> numbers(int count, double pace) {
  std::vector<float> all;
  for (int k = 0; k < count; ++k) all.push_back(static_cast<float>(std::sin(pace * (k + 1))));
  return all;
}
// The same steps by loops over numbers; the token that is looked up at step t is token(t, the last prediction).
template <class G, class Token>
std::vector<std::vector<double>> by_loops(const parameters<G>& theta, std::vector<double> s, int last,
                                          Token token) {
  const auto number = [](float x) { return static_cast<double>(x); };
  std::vector<std::vector<double>> all;
  for (int t = 0; t < T; ++t) {
    const int looked_up = token(t, last);
    std::vector<double> next_s, scores;
    for (int i = 0; i < units; ++i) {
      double sum = number(get<"y.b_l0">(theta)(i));
      for (int j = 0; j < wide; ++j)
        sum += number(get<"y.W_l0">(theta)(i, j)) * number(get<"y.embedding_l0">(theta)(j, looked_up));
      for (int j = 0; j < units; ++j) sum += number(get<"y.U_l0">(theta)(i, j)) * s[std::size_t(j)];
      next_s.push_back(std::tanh(sum));
    }
    for (int k = 0; k < words; ++k) {
      scores.push_back(0);
      for (int j = 0; j < units; ++j)
        scores.back() += number(get<"y.scores_l0">(theta)(k, j)) * next_s[std::size_t(j)];
    }
    s = next_s;
    last = int(std::max_element(scores.begin(), scores.end()) - scores.begin());
    all.push_back(scores);
  }
  return all;
}
template <class View>
void check_scores(const std::vector<std::vector<double>>& expected, const View& y, int r) {
  for (int t = 0; t < T; ++t)
    for (int k = 0; k < words; ++k)
      CHECK(double(y(r, t, k)) == doctest::Approx(expected[std::size_t(t)][std::size_t(k)]).epsilon(1e-5));
}

TEST_CASE("the target's token, its own last prediction, and no x") {
  const std::vector<std::vector<int>> given{{3, 1, 0, 6, 2}, {5, 5, 4, 1, 0}};
  const std::vector<float> s = numbers(2 * units, 0.9), first{2, 4};
  const auto start = [&](int r) {
    return std::vector<double>(s.begin() + r * units, s.begin() + (r + 1) * units);
  };
  const parameters<with_targets<forced>> theta(seed{4});
  inference<with_targets<forced>, batch<2>> teacher;
  set_input<"token">(teacher, given);
  set_input<"s">(teacher, s);
  set_input<"first">(teacher, first);
  teacher.run(theta);
  for (int r = 0; r < 2; ++r)
    check_scores(
        by_loops(theta, start(r), 0, [&](int t, int) { return given[std::size_t(r)][std::size_t(t)]; }),
        get<"y">(teacher), r);

  const parameters<by_itself> own(seed{5});
  inference<by_itself, batch<3>> run;  // one row stays empty
  set_input<"s">(run, s);
  set_input<"first">(run, first);
  run.run(own);
  REQUIRE((get<"y">(run).shape(0) == 2 && get<"y">(run).shape(1) == T));
  for (int r = 0; r < 2; ++r)
    check_scores(by_loops(own, start(r), int(first[std::size_t(r)]), [](int, int last) { return last; }),
                 get<"y">(run), r);

  // Without training there is no chance: the last prediction is used.
  const parameters<with_targets<mixed>> third(seed{6});
  inference<with_targets<mixed>, batch<2>> guessing;
  set_input<"token">(guessing, given);
  set_input<"s">(guessing, s);
  set_input<"first">(guessing, first);
  guessing.run(third);
  check_scores(by_loops(third, start(1), int(first[1]), [](int, int last) { return last; }),
               get<"y">(guessing), 1);
}

TEST_CASE("a single step of a token") {
  using G =
      graph<"alone", input<"token", token<words>>, input<"s", features<units>>, input<"first", features<1>>,
            node<"y", cell_step<forced, hidden<units, 1>>, "token", "s", "first">, output<"y">,
            output<"y.h_n">>;
  using whole = with_targets<forced>;
  const parameters<whole> theta(seed{4});
  parameters<G> same(zeros{});
  std::copy_n(theta.data(), theta.count(), same.data());
  const std::vector<float> s = numbers(units, 0.9);
  inference<G> run;
  set_input<"token">(run, std::vector<int>{3});
  set_input<"s">(run, s);
  set_input<"first">(run, std::vector<float>{0});
  run.run(same);
  const auto expected = by_loops(theta, {s.begin(), s.end()}, 0, [](int, int) { return 3; });
  for (int k = 0; k < words; ++k)
    CHECK(double(get<"y">(run)(0, k)) == doctest::Approx(expected[0][std::size_t(k)]).epsilon(1e-5));
}
TEST_CASE("a stream of tokens") {
  using G = with_targets<forced>;
  const parameters<G> theta(seed{4});
  const std::vector<int> given{3, 1, 0, 6, 2};
  const std::vector<float> s = numbers(units, 0.9), first{0};
  streaming<G> live;
  set_input<"s">(live, s);
  set_input<"first">(live, first);
  const auto expected =
      by_loops(theta, {s.begin(), s.end()}, 0, [&](int t, int) { return given[std::size_t(t)]; });
  for (int t = 0; t < T; ++t) {
    const auto [y, states] = live.step(theta, std::vector<int>{given[std::size_t(t)]});
    for (int k = 0; k < words; ++k)
      CHECK(double(y(0, k)) == doctest::Approx(expected[std::size_t(t)][std::size_t(k)]).epsilon(1e-5));
  }
}

// The random choice at each step of each row: 1 as often as it should be, and different at other training steps.
struct chances {
  static constexpr auto at(auto x) { return x * bernoulli<0.25>(x); }
};
TEST_CASE("a share of ones in training, zeros else") {
  using G = graph<"chances", input<"x", features<2>, steps<500>>, node<"y", chances, "x">, output<"y">>;
  const std::vector<float> ones(8 * 500 * 2, 1);
  const view<const float> x(ones.data(), {8, 500, 2}, {1000, 2, 1});
  differentiation<G, void, batch<8>> learn;
  set_input<"x">(learn, x);
  learn.randomness({3}, 1);
  learn.forward(parameters<G>());
  double share = 0;
  for (int r = 0; r < 8; ++r)
    for (int t = 0; t < 500; ++t) {
      const float y = get<"y">(learn)(r, t, 0);
      CHECK(
          ((y == 0 || y == 1) && y == get<"y">(learn)(r, t, 1)));  // one number for the whole row of features
      share += double(y) / 4000;
    }
  CHECK(std::abs(share - 0.25) < 0.03);
  inference<G, batch<8>> run;
  set_input<"x">(run, x);
  run.run(parameters<G>());
  for (int t = 0; t < 500; ++t) CHECK(get<"y">(run)(3, t, 0) == 0);
}
struct largest {
  static constexpr auto at(auto x) { return argmax(x); }
};
TEST_CASE("the first of the largest") {
  using G = graph<"largest", input<"x", features<5>>, node<"y", largest, "x">, output<"y">>;
  inference<G, batch<4>> run;
  set_input<"x">(run,
                 std::vector<float>{-1, -2, -3, -4, -5, 1, 7, 7, 0, 7, -9, -9, -9, -9, -1, 0, 0, 0, 0, 0});
  run.run(parameters<G>());
  for (int r = 0; r < 4; ++r) CHECK(get<"y">(run)(r, 0) == std::vector<float>{0, 1, 4, 0}[std::size_t(r)]);
}

TEST_CASE("laws") {
  check_laws<with_targets<forced>>();
  check_laws<with_targets<mixed>>();
  check_laws<by_itself>();
}

}  // namespace tenon::test
