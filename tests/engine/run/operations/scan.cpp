// A cell over time, against a loop over the steps and backpropagation through time written by hand: an Elman network (Elman 1990) with
// rows that end at different steps, forward and in both directions.
#include "tenon/engine/run/operations/scan.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/machines.hpp"
#include "support/row_after_row.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace workshop {

// A backend that counts the products with a transposed matrix.
struct counting : tenon::backend::reference {};
int products = 0;
template <int N, int K, class T>
void matmul_transposed(counting, int rows, const T* g, std::ptrdiff_t g_row, const T* w, T* dx,
                       std::ptrdiff_t dx_row) {
  ++products;
  matmul_transposed<N, K>(tenon::backend::reference{}, rows, g, g_row, w, dx, dx_row);
}

}  // namespace workshop

namespace tenon::test {
using namespace nn;

namespace {

constexpr int in = 2, hidden = 3;
using numbers = std::vector<double>;

// h' = tanh(W x + b + U h + c) for one direction of one row, with the gradients for the adjoints of all h'.
struct elman {
  numbers w, u, b, c;
  numbers dw = numbers(hidden * in), du = numbers(hidden * hidden), db = numbers(hidden);

  // x: in the order of the steps that the cell sees.
  std::vector<numbers> forward(const std::vector<numbers>& x) const {
    std::vector<numbers> h{numbers(hidden)};
    for (const numbers& now : x) {
      numbers next(hidden);
      for (std::size_t i = 0; i < hidden; ++i) {
        double sum = b[i] + c[i];
        for (std::size_t j = 0; j < in; ++j) sum += w[i * in + j] * now[j];
        for (std::size_t j = 0; j < hidden; ++j) sum += u[i * hidden + j] * h.back()[j];
        next[i] = std::tanh(sum);
      }
      h.push_back(next);
    }
    return h;
  }
  // Adds to the gradients; returns the adjoints of x.
  std::vector<numbers> backward(const std::vector<numbers>& x, const std::vector<numbers>& h,
                                const std::vector<numbers>& adjoints) {
    std::vector<numbers> dx(x.size(), numbers(in));
    numbers from_later(hidden);
    for (std::size_t t = x.size(); t-- > 0;) {
      numbers earlier(hidden);
      for (std::size_t i = 0; i < hidden; ++i) {
        const double of_sum = (adjoints[t][i] + from_later[i]) * (1 - h[t + 1][i] * h[t + 1][i]);
        db[i] += of_sum;
        for (std::size_t j = 0; j < in; ++j) {
          dw[i * in + j] += of_sum * x[t][j];
          dx[t][j] += of_sum * w[i * in + j];
        }
        for (std::size_t j = 0; j < hidden; ++j) {
          du[i * hidden + j] += of_sum * h[t][j];
          earlier[j] += of_sum * u[i * hidden + j];
        }
      }
      from_later = earlier;
    }
    return dx;
  }
};

// A backend that runs all steps of the backward pass in one call.
using whole_loops = machine<row_after_row, double>;

template <int Rank, class View>
numbers copy(const View& of) {
  numbers all;
  tenon::detail::for_each_element<Rank>(of, [&](auto v, auto...) { all.push_back(double(v)); });
  return all;
}
void check(const numbers& got, const numbers& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-4));
}

template <class M, int Directions, class Layer, int rows = 4, int bound = 5>
void check_scan(const std::vector<int>& lengths) {
  using G = over_time<Layer, in, bound>;
  using T = typename M::scalar;
  std::vector<T> x(rows * bound * in);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(std::cos(0.9 * double(k)));
  const typename M::template parameters<G> theta(seed{8});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, in}), lengths);
  run.forward(theta);
  const auto y = get<"y">(run);
  const auto adjoint = [](std::size_t r, std::size_t t, std::size_t j) {
    return 0.3 + std::sin(double(5 * r + 3 * t + j));
  };
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run), [&](T& dy, auto r, auto t, auto j) {
    dy = T(adjoint(r, t, j));
    if (int(t) >= lengths[r]) CHECK(y(r, t, j) == T(0));
  });
  run.backward(theta, gradients);

  numbers dx(x.size());
  const auto check_direction = [&](elman cell, bool is_reverse, const auto& weight, const auto& recurrent,
                                   const auto& bias, const auto& second_bias) {
    const std::size_t column = is_reverse ? hidden : 0;
    for (std::size_t r = 0; r < rows; ++r) {
      const auto length = std::size_t(lengths[r]);
      const auto place = [&](std::size_t step) { return is_reverse ? length - 1 - step : step; };
      std::vector<numbers> seen, adjoints;
      for (std::size_t step = 0; step < length; ++step) {
        numbers now, wanted;
        for (std::size_t j = 0; j < in; ++j) now.push_back(double(x[(r * bound + place(step)) * in + j]));
        for (std::size_t j = 0; j < hidden; ++j) wanted.push_back(adjoint(r, place(step), column + j));
        seen.push_back(now);
        adjoints.push_back(wanted);
      }
      const std::vector<numbers> h = cell.forward(seen);
      for (std::size_t step = 0; step < length; ++step)
        for (std::size_t j = 0; j < hidden; ++j)
          CHECK(double(y(r, place(step), column + j)) == doctest::Approx(h[step + 1][j]).epsilon(1e-5));
      const std::vector<numbers> of_row = cell.backward(seen, h, adjoints);
      for (std::size_t step = 0; step < length; ++step)
        for (std::size_t j = 0; j < in; ++j) dx[(r * bound + place(step)) * in + j] += of_row[step][j];
    }
    check(copy<2>(weight), cell.dw);
    check(copy<2>(recurrent), cell.du);
    check(copy<1>(bias), cell.db);
    check(copy<1>(second_bias), cell.db);
  };
  check_direction({copy<2>(get<"y.weight_ih_l0">(theta)), copy<2>(get<"y.weight_hh_l0">(theta)),
                   copy<1>(get<"y.bias_ih_l0">(theta)), copy<1>(get<"y.bias_hh_l0">(theta))},
                  false, get<"y.weight_ih_l0">(gradients), get<"y.weight_hh_l0">(gradients),
                  get<"y.bias_ih_l0">(gradients), get<"y.bias_hh_l0">(gradients));
  if constexpr (Directions == 2)
    check_direction(
        {copy<2>(get<"y.weight_ih_l0_reverse">(theta)), copy<2>(get<"y.weight_hh_l0_reverse">(theta)),
         copy<1>(get<"y.bias_ih_l0_reverse">(theta)), copy<1>(get<"y.bias_hh_l0_reverse">(theta))},
        true, get<"y.weight_ih_l0_reverse">(gradients), get<"y.weight_hh_l0_reverse">(gradients),
        get<"y.bias_ih_l0_reverse">(gradients), get<"y.bias_hh_l0_reverse">(gradients));
  check(copy<3>(input_gradient<"x">(run)), dx);
}

}  // namespace

TEST_CASE_TEMPLATE("one direction, each row up to its length", M, oracle, processor, whole_loops) {
  check_scan<M, 1, rnn<hidden>>({5, 0, 1, 3});
  check_scan<M, 1, rnn<hidden>>({5, 5, 5, 5});
}
TEST_CASE_TEMPLATE("the reverse direction begins at each row's own end", M, oracle, processor, whole_loops) {
  check_scan<M, 2, rnn<hidden, bidirectional>>({5, 0, 1, 3});
}
// So many rows that a few steps are a block. No row ends in the first one.
TEST_CASE_TEMPLATE("three blocks of steps", M, oracle, processor, whole_loops) {
  constexpr int rows = 131, bound = 7;
  using both = rnn<hidden, bidirectional>;
  using plan =
      M::template differentiation<over_time<both, in, bound>, void, batch<rows>, input_gradients>::plan;
  static_assert(engine::memory_of<plan>.operations[0].backward_block == 3);
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r) lengths.push_back(3 + r % 5);
  check_scan<M, 2, both, rows, bound>(lengths);
}
// Sums over all blocks: those of a table's product, which the CPU backend adds up by its entries.
TEST_CASE("the gradient of a table, summed over blocks of one step") {
  constexpr int rows = 257, bound = 3;
  using G = graph<"words", input<"word", token<5>, tenon::steps<bound>>, node<"e", embedding<5, 2>, "word">,
                  node<"y", rnn<hidden>, "e">, output<"y">>;
  using plan = processor::differentiation<G, void, batch<rows>, input_gradients>::plan;
  static_assert(plan::has_tables && engine::memory_of<plan>.operations[1].backward_block == 1);
  std::vector<int> lengths;
  for (int r = 0; r < rows; ++r) lengths.push_back(r % 4);
  trial<oracle, G, rows> exact(3);
  trial<processor, G, rows> run(3);
  const sample<G> some(lengths, 1);
  check_near(exact(some), run(some), 1e-4, 1e-4);
}
// The gradient of an input that all steps read is a sum over them, which is 0 without steps, whatever an earlier run left.
struct pushed : equations::symbols {
  static constexpr auto step(auto x, auto h, auto push) { return next(tanh(W<>(x) + U<>(h) + push)); }
};
TEST_CASE_TEMPLATE("a batch without steps, after one with steps", M, oracle, processor, whole_loops) {
  constexpr int rows = 3, bound = 5;
  using T = typename M::scalar;
  using G =
      graph<"pushed", input<"x", features<in>, tenon::steps<bound>>, input<"push", features<hidden>>,
            node<"y", recurrent<pushed, nn::hidden<hidden>>, "x", "push">, output<"y">, output<"y.h_n">>;
  const std::vector<T> x(rows * bound * in, T(0.5)), push(rows * hidden, T(0.25));
  const typename M::template parameters<G> theta(seed{2});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  for (const int length : {bound, 0}) {
    typename M::template parameters<G> gradients(zeros{});
    set_input<"x">(run, view<const T>(x.data(), {rows, bound, in}), std::vector<int>(rows, length));
    set_input<"push">(run, push);
    run.forward(theta);
    tenon::detail::for_each_element<2>(output_adjoint<"y.h_n">(run), [](T& dy, auto...) { dy = T(1); });
    run.backward(theta, gradients);
    tenon::detail::for_each_element<2>(input_gradient<"push">(run),
                                       [&](T got, auto...) { CHECK((got != T(0)) == (length > 0)); });
    for (long k = 0; k < gradients.count() && length == 0; ++k) CHECK(gradients.data()[k] == T(0));
    tenon::detail::for_each_element<2>(get<"y.h_n">(run),
                                       [&](T got, auto...) { CHECK((got != T(0)) == (length > 0)); });
  }
}
TEST_CASE("a backend runs the steps of a block in one call") {
  row_loop_calls = 0;
  check_scan<whole_loops, 1, rnn<hidden>>({5, 0, 1, 3});
  CHECK(row_loop_calls == 1);
}

// The adjoint of a first state that nobody asks for is not computed: of five steps, four have one that is.
TEST_CASE("no direction computes the adjoint of the state that it begins with") {
  using M = machine<workshop::counting, double>;
  const auto products_of = [](auto check) {
    workshop::products = 0;
    check();
    return workshop::products;
  };
  const int of_inputs = 1;  // all steps together
  CHECK(products_of([] { check_scan<M, 1, rnn<hidden>>({5, 0, 1, 3}); }) == of_inputs + 4);
  CHECK(products_of([] {
          check_scan<M, 2, rnn<hidden, bidirectional>>({5, 0, 1, 3});
        }) == 2 * (of_inputs + 4));
}

// A cell whose steps each see all of another sequence: h' = tanh(W x + U h + sum_j softmax_j(v . tanh(A m_j + B h)) m_j) in both directions.
struct attending : equations::symbols {
  static constexpr auto step(auto x, auto h, auto m) {
    const auto seen = sum<"source">(softmax<"source">(matrix<"v", 1>(tanh(W<"a", 2>(m) + U<"b", 2>(h)))) * m);
    return next(tanh(W<"x">(x) + U<"h">(h) + seen));
  }
};
TEST_CASE("steps that see another sequence, whole, in both directions") {
  check_laws<graph<"attending", input<"x", features<2>, tenon::steps<4>>,
                   input<"m", features<3>, tenon::steps<5, "source">>,
                   node<"y", recurrent<attending, nn::hidden<3>, bidirectional>, "x", "m">, output<"y">>>();
}

}  // namespace tenon::test
