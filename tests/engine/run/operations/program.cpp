// What a program finds in memory besides its inputs: the numbers of steps and how many there are; and the product of a table, against
// loops in double.
#include "tenon/engine/run/operations/program.hpp"

#include "support/machines.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int rows = 3, most = 4, wide = 2;
double number_at(int r, int t, int c) { return 0.25 * r - 0.5 * t + 0.75 * c + 1; }

struct by_step {
  static constexpr auto at(auto x) { return x * position_of<"time">(x); }
};
struct by_step_and_length {
  static constexpr auto at(auto x) { return x * position_of<"time">(x) + 10 * length_of<"time">(x); }
};

}  // namespace

TEST_CASE_TEMPLATE("positions and lengths, of rows that end early", M, oracle, processor) {
  using T = typename M::scalar;
  using G = graph<"steps", input<"x", features<wide>, steps<most>>, node<"y", by_step_and_length, "x">,
                  output<"y">>;
  typename M::template inference<G, batch<rows>> run;
  const typename M::template parameters<G> theta{};
  std::vector<T> x;
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < most; ++t)
      for (int c = 0; c < wide; ++c) x.push_back(T(number_at(r, t, c)));
  const view<const T> all(x.data(), {rows, most, wide}, {most * wide, wide, 1});
  // full rows first, so that numbers of theirs are left in memory
  for (const std::vector<int>& lengths : {std::vector<int>{4, 4, 4}, {2, 4, 1}, {3, 0, 2}}) {
    set_input<"x">(run, all, lengths);
    run.run(theta);
    const auto y = get<"y">(run);
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < most; ++t)
        for (int c = 0; c < wide; ++c) {
          const int length = lengths[std::size_t(r)];
          const double expected = t < length ? number_at(r, t, c) * t + 10 * length : 0;
          CHECK(double(y(std::size_t(r), std::size_t(t), std::size_t(c))) == doctest::Approx(expected));
        }
  }
}

// Where states lose features in training, they lose none in a run without it, and are not scaled.
TEST_CASE_TEMPLATE("noise of an equation is 1 outside training", M, oracle, processor) {
  using T = typename M::scalar;
  using loses = graph<"loses", input<"x", features<wide>, steps<most>>,
                      node<"y", rnn<5, variational_dropout<0.4>>, "x">, output<"y">>;
  using keeps = graph<"keeps", input<"x", features<wide>, steps<most>>, node<"y", rnn<5>, "x">, output<"y">>;
  typename M::template inference<loses, batch<rows>> one;
  typename M::template inference<keeps, batch<rows>> other;
  std::vector<T> x;
  for (int k = 0; k < rows * most * wide; ++k) x.push_back(T(0.25 * (k % 7) - 0.5));
  const view<const T> all(x.data(), {rows, most, wide}, {most * wide, wide, 1});
  set_input<"x">(one, all);
  set_input<"x">(other, all);
  one.run(typename M::template parameters<loses>(seed{3}));
  other.run(typename M::template parameters<keeps>(seed{3}));
  const auto expected = get<"y">(other);
  tenon::detail::for_each_element<3>(get<"y">(one), [&](T got, auto r, auto t, auto c) {
    CHECK(double(got) == doctest::Approx(double(expected(r, t, c))).epsilon(1e-5));
  });
}

TEST_CASE("in a stream, each row has the number of its own step") {
  using G = graph<"stream", input<"x", features<1>, steps<most>>, node<"y", by_step, "x">, output<"y">>;
  const parameters<G> theta{};
  streaming<G, batch<2>> live(theta);
  for (int t = 0; t < 3; ++t) {
    const auto y = live.step(std::vector<float>{1, 2});
    CHECK(y(0, 0) == float(t));
    CHECK(y(1, 0) == float(2 * t));
  }
  live.reset();
  CHECK(live.step(std::vector<float>{1, 2})(1, 0) == 0);
}

TEST_CASE_TEMPLATE("a short table is multiplied once, and tokens look up its product", M, oracle, processor) {
  using T = typename M::scalar;
  constexpr int words = 3, in = 2, out = 4;
  using G = graph<"table", input<"word", token<words>, steps<most>>,
                  node<"row", embedding<words, in>, "word">, node<"y", linear<out>, "row">, output<"y">>;
  const typename M::template parameters<G> theta(seed{5});
  typename M::template inference<G, batch<2>> run;
  const std::vector<std::vector<int>> text{{2, 0, 2, 1}, {1}};
  set_input<"word">(run, text);
  run.run(theta);
  const auto table = get<"row.weight">(theta);
  const auto weight = get<"y.weight">(theta);
  const auto bias = get<"y.bias">(theta);
  const auto y = get<"y">(run);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t t = 0; t < most; ++t)
      for (std::size_t c = 0; c < out; ++c) {
        double expected = 0;
        if (t < text[r].size()) {
          expected = double(bias(c));
          for (std::size_t k = 0; k < in; ++k)
            expected += double(weight(c, k)) * double(table(std::size_t(text[r][t]), k));
        }
        CHECK(double(y(r, t, c)) ==
              doctest::Approx(expected).epsilon(std::is_same_v<T, float> ? 1e-5 : 1e-12));
      }
}

template <class M, int Padding>
void check_gradients_of_table() {
  using T = typename M::scalar;
  constexpr int words = 3, in = 2, out = 4;
  using G = graph<"table", input<"word", token<words>, steps<most>>,
                  node<"row", embedding<words, in, padding_idx<Padding>>, "word">,
                  node<"y", linear<out>, "row">, output<"y">>;
  const typename M::template parameters<G> theta(seed{5});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<2>> run;
  const std::vector<std::vector<int>> text{{2, 0, 2, 1}, {1}};
  set_input<"word">(run, text);
  run.forward(theta);
  const auto table = get<"row.weight">(theta);
  const auto weight = get<"y.weight">(theta);
  std::vector<double> of_table(words * in), of_weight(out * in), of_bias(out);
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run), [&](T& dy, auto r, auto t, auto c) {
    dy = T(1 + double(r) - 2 * double(t) + 0.5 * double(c));
    if (t >= text[r].size()) return;
    const auto word = std::size_t(text[r][t]);
    of_bias[c] += double(dy);
    for (std::size_t k = 0; k < in; ++k) {
      of_weight[c * in + k] += double(dy) * double(table(word, k));
      if (word != Padding) of_table[word * in + k] += double(dy) * double(weight(c, k));
    }
  });
  run.backward(theta, gradients);
  const auto check = [](const auto& got, const std::vector<double>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k)
      CHECK(double(got.data()[k]) == doctest::Approx(expected[k]).epsilon(1e-5));
  };
  check(get<"row.weight">(gradients), of_table);
  check(get<"y.weight">(gradients), of_weight);
  check(get<"y.bias">(gradients), of_bias);
}

TEST_CASE_TEMPLATE("the gradients of such a table, of what it is multiplied with, and of the padding's row",
                   M, oracle, processor) {
  check_gradients_of_table<M, 0>();
  check_gradients_of_table<M, 1>();
  check_gradients_of_table<M, 2>();
}

}  // namespace tenon::test
