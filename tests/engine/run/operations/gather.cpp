// Rows of a table: what is looked up, and the gradient, against sums over every occurrence of a token.
#include "tenon/engine/run/operations/gather.hpp"

#include "support/machines.hpp"
#include "tenon/nn/embedding.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int vocabulary = 6, width = 3, bound = 4;
template <class... Options>
using looked_up = graph<"looked up", input<"word", token<vocabulary>, steps<bound>>,
                        node<"y", embedding<vocabulary, width, Options...>, "word">, output<"y">>;

const std::vector<std::vector<int>> words{{2, 5, 2, 0}, {}, {2, 3}};

// factor(token): by what the sum over the occurrences of this token is multiplied.
template <class M, class G, class F>
void check(F factor) {
  using T = typename M::scalar;
  const typename M::template parameters<G> theta(seed{4});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<3>> run;
  set_input<"word">(run, words);
  run.forward(theta);
  const auto table = get<"y.weight">(theta);
  std::vector<double> expected(vocabulary * width);
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run), [&](T& dy, auto r, auto t, auto j) {
    dy = T(std::sin(1.0 + 7.0 * double(r) + 3.0 * double(t) + double(j)));
    const bool is_there = t < words[r].size();
    CHECK(get<"y">(run)(r, t, j) == (is_there ? table(std::size_t(words[r][t]), j) : T(0)));
    if (is_there) expected[std::size_t(words[r][t] * width) + j] += factor(words[r][t]) * double(dy);
  });
  run.backward(theta, gradients);
  const auto got = get<"y.weight">(gradients);
  for (int v = 0; v < vocabulary; ++v)
    for (int j = 0; j < width; ++j)
      CHECK(double(got(v, j)) == doctest::Approx(expected[std::size_t(v * width + j)]).epsilon(1e-5));
}

}  // namespace

TEST_CASE_TEMPLATE("a token's row is copied, and gets the sum of its adjoints", M, oracle, processor) {
  check<M, looked_up<>>([](int) { return 1.0; });
}
TEST_CASE_TEMPLATE("the padding's row gets no gradient", M, oracle, processor) {
  check<M, looked_up<padding_idx<2>>>([](int token) { return token == 2 ? 0.0 : 1.0; });
}
TEST_CASE_TEMPLATE("a gradient by frequency is a mean over the occurrences", M, oracle, processor) {
  check<M, looked_up<scale_grad_by_freq>>([](int token) { return token == 2 ? 1.0 / 3 : 1.0; });
}

// Adjoints that the caller has, with its own distances between rows and steps.
TEST_CASE_TEMPLATE("a gradient from adjoints that are stored row by row, or step by step", M, oracle,
                   processor) {
  using G = looked_up<>;
  using T = typename M::scalar;
  const typename M::template parameters<G> theta(seed{4});
  std::vector<T> numbers(3 * bound * width);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = T(std::sin(1.0 + 0.7 * double(k)));
  for (const bool by_row : {true, false}) {
    const std::ptrdiff_t row = by_row ? bound * width : width, step = by_row ? width : 3 * width;
    typename M::template parameters<G> gradients(zeros{});
    typename M::template differentiation<G, void, batch<3>> run;
    set_input<"word">(run, words);
    run.forward(theta);
    run.backward(theta, gradients, view<const T>(numbers.data(), {3, bound, width}, {row, step, 1}));
    std::vector<double> expected(vocabulary * width);
    for (std::size_t r = 0; r < words.size(); ++r)
      for (std::size_t t = 0; t < words[r].size(); ++t)
        for (std::size_t j = 0; j < width; ++j)
          expected[std::size_t(words[r][t] * width) + j] +=
              double(numbers[r * std::size_t(row) + t * std::size_t(step) + j]);
    const auto got = get<"y.weight">(gradients);
    for (int v = 0; v < vocabulary; ++v)
      for (int j = 0; j < width; ++j)
        CHECK(double(got(v, j)) == doctest::Approx(expected[std::size_t(v * width + j)]).epsilon(1e-5));
  }
}

}  // namespace tenon::test
