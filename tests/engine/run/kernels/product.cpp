// Products with parameters and their gradients: of rows, of the steps of sequences, of rows that are looked up in a table, and of
// windows, against loops in double.
#include "tenon/engine/run/kernels/product.hpp"

#include "support/graphs.hpp"
#include "support/machines.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int in = 3, out = 4, rows = 3, bound = 5, vocabulary = 6;
using numbers = std::vector<double>;

template <int Rank, class View>
void check(const View& got, const numbers& expected) {
  std::size_t k = 0;
  tenon::detail::for_each_element<Rank>(got, [&](auto v, auto...) {
    REQUIRE(k < expected.size());
    CHECK(double(v) == doctest::Approx(expected[k++]).epsilon(1e-4));
  });
  CHECK(k == expected.size());
}
double adjoint(std::size_t r, std::size_t t, std::size_t c) {
  return std::sin(1.0 + double(7 * r + 3 * t + c));
}

// y = W x + b for one row; adds to the gradients, and returns the adjoint of x.
struct affine {
  numbers w, b;
  numbers dw{}, db{};

  template <class Weight, class Bias>
  affine(const Weight& weight, const Bias& bias) {
    tenon::detail::for_each_element<2>(weight, [&](auto v, auto...) { w.push_back(double(v)); });
    tenon::detail::for_each_element<1>(bias, [&](auto v, auto) { b.push_back(double(v)); });
    dw.resize(w.size());
    db.resize(b.size());
  }
  numbers operator()(const numbers& x) const {
    numbers y = b;
    for (std::size_t c = 0; c < y.size(); ++c)
      for (std::size_t j = 0; j < x.size(); ++j) y[c] += w[c * x.size() + j] * x[j];
    return y;
  }
  numbers back(const numbers& x, const numbers& dy) {
    numbers dx(x.size());
    for (std::size_t c = 0; c < dy.size(); ++c) {
      db[c] += dy[c];
      for (std::size_t j = 0; j < x.size(); ++j) {
        dw[c * x.size() + j] += dy[c] * x[j];
        dx[j] += dy[c] * w[c * x.size() + j];
      }
    }
    return dx;
  }
};

}  // namespace

TEST_CASE_TEMPLATE("of the rows that a batch has", M, oracle, processor) {
  using G = single<linear<out>, in>;
  using T = typename M::scalar;
  const typename M::template parameters<G> theta(seed{9});
  for (const std::size_t given : {std::size_t(rows), std::size_t(1)}) {
    typename M::template parameters<G> gradients(zeros{});
    typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
    std::vector<T> x(given * in);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(std::cos(double(k)));
    set_input<"x">(run, x);
    run.forward(theta);
    affine layer(get<"y.weight">(theta), get<"y.bias">(theta));
    numbers dx;
    const auto y = get<"y">(run);
    auto dy = output_adjoint<"y">(run);
    for (std::size_t r = 0; r < given; ++r) {
      numbers row, of_row;
      for (std::size_t j = 0; j < in; ++j) row.push_back(double(x[r * in + j]));
      const numbers expected = layer(row);
      for (std::size_t c = 0; c < out; ++c) {
        CHECK(double(y(r, c)) == doctest::Approx(expected[c]).epsilon(1e-5));
        of_row.push_back(adjoint(r, 0, c));
        dy(r, c) = T(of_row.back());
      }
      for (const double d : layer.back(row, of_row)) dx.push_back(d);
    }
    run.backward(theta, gradients);
    check<2>(get<"y.weight">(gradients), layer.dw);
    check<1>(get<"y.bias">(gradients), layer.db);
    const auto got = input_gradient<"x">(run);
    for (std::size_t k = 0; k < dx.size(); ++k)
      CHECK(double(got(k / in, k % in)) == doctest::Approx(dx[k]).epsilon(1e-4));
  }
}

TEST_CASE_TEMPLATE("of rows of a table, at the steps of each sequence", M, oracle, processor) {
  using G = graph<"of a table", input<"word", token<vocabulary>, steps<bound>>,
                  node<"row", embedding<vocabulary, in>, "word">, node<"y", linear<out>, "row">, output<"y">>;
  using T = typename M::scalar;
  const std::vector<std::vector<int>> words{{1, 4, 1, 0, 5}, {}, {4, 2}};
  const typename M::template parameters<G> theta(seed{10});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>> run;
  set_input<"word">(run, words);
  run.forward(theta);
  affine layer(get<"y.weight">(theta), get<"y.bias">(theta));
  const auto table = get<"row.weight">(theta);
  numbers dtable(vocabulary * in);
  const auto y = get<"y">(run);
  auto dy = output_adjoint<"y">(run);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t t = 0; t < bound; ++t) {
      const bool is_there = t < words[r].size();
      numbers row, of_row;
      for (std::size_t j = 0; is_there && j < in; ++j)
        row.push_back(double(table(std::size_t(words[r][t]), j)));
      const numbers expected = is_there ? layer(row) : numbers(out);
      for (std::size_t c = 0; c < out; ++c) {
        CHECK(double(y(r, t, c)) == doctest::Approx(expected[c]).epsilon(1e-5));
        of_row.push_back(adjoint(r, t, c));
        dy(r, t, c) = T(of_row.back());
      }
      if (!is_there) continue;
      const numbers dx = layer.back(row, of_row);
      for (std::size_t j = 0; j < in; ++j) dtable[std::size_t(words[r][t]) * in + j] += dx[j];
    }
  run.backward(theta, gradients);
  check<2>(get<"y.weight">(gradients), layer.dw);
  check<1>(get<"y.bias">(gradients), layer.db);
  check<2>(get<"row.weight">(gradients), dtable);
}

TEST_CASE_TEMPLATE("of windows, which are read in place", M, oracle, processor) {
  using G = over_time<conv1d<out, 3, padding<1>>, in, bound>;
  using T = typename M::scalar;
  const std::vector<int> lengths{bound, 1, 3};
  std::vector<T> x(rows * bound * in);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(std::cos(0.6 * double(k)));
  const typename M::template parameters<G> theta(seed{11});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, in}), lengths);
  run.forward(theta);
  affine layer(get<"y.weight">(theta), get<"y.bias">(theta));
  numbers dx(x.size());
  const auto y = get<"y">(run);
  auto dy = output_adjoint<"y">(run);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t t = 0; t < bound; ++t) {
      const auto length = std::size_t(lengths[r]);
      const auto is_there = [&](std::size_t k) { return t + k >= 1 && t + k - 1 < length; };
      numbers window, of_window;
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t j = 0; j < in; ++j)
          window.push_back(is_there(k) ? double(x[(r * bound + t + k - 1) * in + j]) : 0);
      const numbers expected = t < length ? layer(window) : numbers(out);
      for (std::size_t c = 0; c < out; ++c) {
        CHECK(double(y(r, t, c)) == doctest::Approx(expected[c]).epsilon(1e-5));
        of_window.push_back(adjoint(r, t, c));
        dy(r, t, c) = T(of_window.back());
      }
      if (t >= length) continue;
      const numbers d = layer.back(window, of_window);
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t j = 0; is_there(k) && j < in; ++j)
          dx[(r * bound + t + k - 1) * in + j] += d[k * in + j];
    }
  run.backward(theta, gradients);
  check<2>(get<"y.weight">(gradients), layer.dw);
  check<1>(get<"y.bias">(gradients), layer.db);
  check<3>(input_gradient<"x">(run), dx);
}

}  // namespace tenon::test
