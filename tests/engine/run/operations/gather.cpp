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

}  // namespace tenon::test
