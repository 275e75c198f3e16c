// The states of a scan: where they begin, what is left of them at each row's end, what their adjoints are, and that a stream carries
// them. The cell adds up, so that all of these are sums of whole numbers, which are exact.
#include "tenon/engine/run/operations/scan_states.hpp"

#include "support/machines.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int size = 2, rows = 4, bound = 5;

struct sum {
  static constexpr auto step(auto x, auto s) { return next(s + x); }
};
template <class... Options>
using summed =
    graph<"summed", input<"x", features<size>, steps<bound>>, input<"s0", features<size>>,
          node<"y", recurrent<sum, nn::hidden<size>, Options...>, "x", "s0">, output<"y">, output<"y.h_n">>;

template <class T>
std::vector<T> counted(std::size_t count, int first) {
  std::vector<T> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = T(first + int(k));
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("from the first state to each row's last, and back", M, oracle, processor) {
  using G = summed<>;
  using T = typename M::scalar;
  const std::vector<int> lengths{bound, 0, 1, 3};
  const std::vector<T> x = counted<T>(rows * bound * size, 1), s0 = counted<T>(rows * size, 100);
  const typename M::template parameters<G> theta(zeros{});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, size}), lengths);
  set_input<"s0">(run, s0);
  run.forward(theta);
  tenon::detail::for_each_element<2>(get<"y.h_n">(run), [&](T got, auto r, auto j) {
    T expected = s0[r * size + j];
    for (int t = 0; t < lengths[r]; ++t) expected += x[(r * bound + std::size_t(t)) * size + j];
    CHECK(got == expected);
  });

  // A step's adjoint reaches all steps up to it, and the first state; that of the last state reaches all of its row.
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run),
                                     [](T& dy, auto r, auto t, auto j) { dy = T(r + 10 * t + 1000 * j); });
  tenon::detail::for_each_element<2>(output_adjoint<"y.h_n">(run),
                                     [](T& dy, auto r, auto j) { dy = T(5000 + r + j); });
  run.backward(theta, gradients);
  const auto reached = [&](std::size_t r, std::size_t from, std::size_t j) {
    T all = T(5000 + r + j);
    for (std::size_t t = from; int(t) < lengths[r]; ++t) all += T(r + 10 * t + 1000 * j);
    return all;
  };
  tenon::detail::for_each_element<3>(input_gradient<"x">(run), [&](T got, auto r, auto t, auto j) {
    CHECK(got == (int(t) < lengths[r] ? reached(r, t, j) : T(0)));
  });
  tenon::detail::for_each_element<2>(input_gradient<"s0">(run),
                                     [&](T got, auto r, auto j) { CHECK(got == reached(r, 0, j)); });
}

// Two states: s' = s + x, which is one number, and c' = c + 3 s'. The adjoint of the last c reaches every s; that of an s reaches no c.
struct sum_of_sums {
  static constexpr auto step(auto x, auto s, auto c) {
    const auto now = s + x;
    return next(now, c + 3 * now);
  }
};
TEST_CASE_TEMPLATE("two states, each with its own adjoint", M, oracle, processor) {
  using G =
      graph<"sums", input<"x", features<1>, steps<bound>>, input<"s0", features<size>>,
            input<"c0", features<size>>, node<"y", recurrent<sum_of_sums, nn::hidden<size>>, "x", "s0", "c0">,
            output<"y">, output<"y.h_n">, output<"y.c_n">>;
  using T = typename M::scalar;
  const std::vector<int> lengths{bound, 0, 1, 3};
  const std::vector<T> x = counted<T>(rows * bound, 1), s0 = counted<T>(rows * size, 100),
                       c0 = counted<T>(rows * size, -70);
  const typename M::template parameters<G> theta(zeros{});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<rows>, input_gradients> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, 1}), lengths);
  set_input<"s0">(run, s0);
  set_input<"c0">(run, c0);
  run.forward(theta);
  const auto y = get<"y">(run);
  const auto last_s = get<"y.h_n">(run), last_c = get<"y.c_n">(run);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < size; ++j) {
      T s = s0[r * size + j], c = c0[r * size + j];
      for (std::size_t t = 0; int(t) < lengths[r]; ++t) {
        s += x[r * bound + t];
        c += 3 * s;
        CHECK(y(r, t, j) == s);
      }
      CHECK(last_s(r, j) == s);
      CHECK(last_c(r, j) == c);
    }

  const auto of_y = [](std::size_t r, std::size_t t, std::size_t j) { return T(r + 10 * t + 1000 * j); };
  const auto of_s = [](std::size_t r, std::size_t j) { return T(5000 + r + j); };
  const auto of_c = [](std::size_t r, std::size_t j) { return T(7 + 2 * r + 31 * j); };
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run),
                                     [&](T& dy, auto r, auto t, auto j) { dy = of_y(r, t, j); });
  tenon::detail::for_each_element<2>(output_adjoint<"y.h_n">(run),
                                     [&](T& d, auto r, auto j) { d = of_s(r, j); });
  tenon::detail::for_each_element<2>(output_adjoint<"y.c_n">(run),
                                     [&](T& d, auto r, auto j) { d = of_c(r, j); });
  run.backward(theta, gradients);
  const auto reached = [&](std::size_t r, std::size_t from, std::size_t j) {
    T all = of_s(r, j);
    for (std::size_t t = from; int(t) < lengths[r]; ++t) all += of_y(r, t, j) + 3 * of_c(r, j);
    return all;
  };
  tenon::detail::for_each_element<3>(input_gradient<"x">(run), [&](T got, auto r, auto t, auto) {
    T expected = 0;
    for (std::size_t j = 0; j < size && int(t) < lengths[r]; ++j) expected += reached(r, t, j);
    CHECK(got == expected);
  });
  tenon::detail::for_each_element<2>(input_gradient<"s0">(run),
                                     [&](T got, auto r, auto j) { CHECK(got == reached(r, 0, j)); });
  tenon::detail::for_each_element<2>(input_gradient<"c0">(run),
                                     [&](T got, auto r, auto j) { CHECK(got == of_c(r, j)); });
}

TEST_CASE_TEMPLATE("the reverse direction begins with its own state, at each row's end", M, oracle,
                   processor) {
  using G = graph<"both", input<"x", features<size>, steps<bound>>, input<"s0", layers<2>, features<size>>,
                  node<"y", recurrent<sum, nn::hidden<size>, bidirectional>, "x", "s0">, output<"y">,
                  output<"y.h_n">>;
  using T = typename M::scalar;
  const std::vector<int> lengths{bound, 0, 1, 3};
  const std::vector<T> x = counted<T>(rows * bound * size, 1), s0 = counted<T>(2 * rows * size, 100);
  const typename M::template parameters<G> theta(zeros{});
  typename M::template inference<G, batch<rows>> run;
  set_input<"x">(run, view<const T>(x.data(), {rows, bound, size}), lengths);
  set_input<"s0">(run, view<const T>(s0.data(), {2, rows, size}));
  run.run(theta);
  const auto y = get<"y">(run);
  const auto last = get<"y.h_n">(run);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < size; ++j) {
      const auto length = std::size_t(lengths[r]);
      T forward = s0[r * size + j], back = s0[(rows + r) * size + j];
      for (std::size_t t = 0; t < length; ++t) {
        CHECK(y(r, t, j) == (forward += x[(r * bound + t) * size + j]));
        CHECK(y(r, length - 1 - t, size + j) == (back += x[(r * bound + length - 1 - t) * size + j]));
      }
      CHECK(last(0, r, j) == forward);
      CHECK(last(1, r, j) == back);
    }
}

TEST_CASE_TEMPLATE("rows of a smaller batch begin with the states that are given", M, oracle, processor) {
  using G = summed<>;
  using T = typename M::scalar;
  const typename M::template parameters<G> theta(zeros{});
  typename M::template inference<G, batch<rows>> run;
  for (const std::size_t given : {std::size_t(rows), std::size_t(2), std::size_t(1), std::size_t(3)}) {
    const std::vector<T> x = counted<T>(given * bound * size, 1), s0 = counted<T>(given * size, 100);
    set_input<"x">(run, view<const T>(x.data(), {given, std::size_t(bound), std::size_t(size)}));
    set_input<"s0">(run, s0);
    run.run(theta);
    const auto y = get<"y">(run);
    for (std::size_t r = 0; r < given; ++r)
      for (std::size_t j = 0; j < size; ++j) CHECK(y(r, 0, j) == s0[r * size + j] + x[r * bound * size + j]);
  }
}

TEST_CASE("a stream reads the state that its last step wrote, with an odd and an even number of steps") {
  using G = summed<>;
  const parameters<G> theta(zeros{});
  streaming<G> live(theta);
  for (const int steps : {3, 4, 1}) {
    live.reset();
    set_input<"s0">(live, std::vector{100.0f, 200.0f});
    float sums[size]{100, 200};
    for (int t = 0; t < steps; ++t) {
      const std::vector<float> x = counted<float>(size, 10 * t);
      live.step(x);
      for (int j = 0; j < size; ++j) {
        sums[j] += x[std::size_t(j)];
        CHECK(get<"y">(live)(0, j) == sums[j]);
        CHECK(get<"y.h_n">(live)(0, j) == sums[j]);
      }
    }
  }
}

// As many numbers as one line of memory has, fewer, and more.
template <int Rows, int Width>
void check_stream() {
  using G = graph<"summed", input<"x", features<Width>, steps<bound>>,
                  node<"y", recurrent<sum, nn::hidden<Width>>, "x">, output<"y">, output<"y.h_n">>;
  const parameters<G> theta(zeros{});
  streaming<G, batch<Rows>> live(theta);
  std::vector<float> sums(Rows * Width);
  for (int t = 0; t < 5; ++t) {
    const std::vector<float> x = counted<float>(Rows * Width, 10 * t);
    live.step(x);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += x[k];
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t j = 0; j < Width; ++j) {
        CHECK(get<"y">(live)(r, j) == sums[r * Width + j]);
        CHECK(get<"y.h_n">(live)(r, j) == sums[r * Width + j]);
      }
  }
}
TEST_CASE("the two states of a stream lie beside each other, whatever their size") {
  check_stream<1, 3>();
  check_stream<2, 8>();
  check_stream<4, 9>();
  check_stream<7, 31>();
}

}  // namespace tenon::test
