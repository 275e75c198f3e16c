// differentiation without an objective: the adjoints of the outputs, written into the view of output_adjoint()
// or given to backward.
#include "tenon/engine/session/differentiation.hpp"

#include "support/allocations.hpp"
#include "support/machines.hpp"
#include "support/sample.hpp"
#include "support/worse.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int rows = 3, bound = 5;

// Only "e" is rows of a table; "y.h_n" and "y.final" are the same memory; "t" reads "s", which is also an output.
using gathered = graph<"gathered", input<"words", token<9>, steps<bound>>,
                       node<"e", embedding<9, 6>, "words">, output<"e">>;
using several = graph<"several", input<"words", token<9>, steps<bound>>, node<"e", embedding<9, 6>, "words">,
                      node<"y", gru<4>, "e">, node<"s", linear<3>, "y">, node<"t", linear<2>, "s">,
                      output<"e">, output<"y.h_n">, output<"y.final">, output<"s">, output<"t">>;

const std::vector<std::vector<int>> words{{1, 2, 3}, {}, {4, 5, 6, 7, 1}};

// Numbers in the shape of an output, with `gap` numbers between its rows.
template <class T>
struct adjoint {
  std::vector<T> numbers;
  view<const T> shown;

  adjoint(const view<const T>& like, std::uint64_t seed, int gap = 0) {
    random_numbers random(seed);
    const auto n = [&](std::size_t k) { return static_cast<std::ptrdiff_t>(like.shape(k)); };
    const std::ptrdiff_t row = n(like.dimension() - 1) + gap;
    numbers.resize(like.size() / like.shape(like.dimension() - 1) * std::size_t(row));
    for (T& x : numbers) x = static_cast<T>(random());
    if (like.dimension() == 2) shown = {numbers.data(), {n(0), n(1)}, {row, 1}};
    else shown = {numbers.data(), {n(0), n(1), n(2)}, {n(1) * row, row, 1}};
  }
  void add_to(const view<T>& dy) const {
    if (dy.dimension() == 2)
      tenon::detail::for_each_element<2>(shown, [&](T x, auto i, auto j) { dy(i, j) += x; });
    else tenon::detail::for_each_element<3>(shown, [&](T x, auto i, auto j, auto k) { dy(i, j, k) += x; });
  }
};

template <class Parameters>
void check_equal(const Parameters& a, const Parameters& b) {
  double size = 0;
  for (int k = 0; k < a.block_size; ++k) {
    REQUIRE(a.data()[k] == b.data()[k]);
    size = worse(size, std::abs(double(a.data()[k])));
  }
  CHECK(size > 1e-3);
}

// The first two layers are frozen: their results are not kept for the backward pass, and adjoints reuse the memory.
using partly_frozen = graph<"partly frozen", input<"x", features<8>>, node<"a", linear<64, frozen>, "x">,
                            node<"b", linear<48, frozen>, "a">, node<"y", linear<16>, "b">, output<"y">>;

TEST_CASE_TEMPLATE("a look at the first value that is not finite leaves adjoints where they are", M, oracle,
                   processor) {
  using T = typename M::scalar;
  const typename M::template parameters<partly_frozen> theta(seed{1});
  typename M::template parameters<partly_frozen> expected(zeros{}), gradients(zeros{});
  typename M::template differentiation<partly_frozen, void, batch<rows>> run;
  const std::vector<float> x(rows * 8, 0.5f);
  for (auto* to : {&expected, &gradients}) {
    set_input<"x">(run, x);
    run.forward(theta);
    for (T& dy : output_adjoint<"y">(run)) dy += T(0.25);
    if (to == &gradients) CHECK(run.first_not_finite().empty());
    run.backward(theta, *to);
  }
  check_equal(std::as_const(expected), std::as_const(gradients));
}

// A CPU whose look-ups fail on request.
struct failing : backend::cpu {};
inline bool fails = false;
template <int D, class T>
void scatter_add(failing, int count, const int* tokens, const T* g, std::ptrdiff_t stride, int skipped,
                 T* table) {
  if (fails) throw std::runtime_error("the table fails");
  scatter_add<D>(backend::cpu{}, count, tokens, g, stride, skipped, table);
}

TEST_CASE("a backward pass that fails forgets the adjoints that it was given") {
  const parameters<gathered> theta(seed{1});
  parameters<gathered> expected(zeros{}), gradients(zeros{});
  differentiation<gathered, void, batch<rows>, on<failing>> run;
  const auto step = [&](auto& to) {
    set_input<"words">(run, words);
    run.forward(theta);
    for (float& dy : output_adjoint<"e">(run)) dy += 2;
    run.backward(theta, to);
  };
  step(expected);
  set_input<"words">(run, words);
  run.forward(theta);
  const std::vector<float> ones(rows * bound * 6, 1);
  const view<const float> given(ones.data(), {rows, bound, 6});
  fails = true;
  CHECK_THROWS_AS(run.backward(theta, gradients, given), std::runtime_error);
  fails = false;
  gradients.set_zero();
  step(gradients);
  check_equal(std::as_const(expected), std::as_const(gradients));
}

TEST_CASE_TEMPLATE("an adjoint that is given counts as one that is written", M, oracle, processor) {
  using T = typename M::scalar;
  typename M::template parameters<gathered> theta(seed{3}), written(zeros{}), given(zeros{});
  typename M::template differentiation<gathered, void, batch<rows + 1>> run;
  set_input<"words">(run, words);
  for (int gap : {0, 5}) {
    run.forward(theta);
    const adjoint<T> dy(get<"e">(run), 7, gap);
    dy.add_to(output_adjoint<"e">(run));
    written.set_zero();
    given.set_zero();
    run.backward(theta, written);
    run.forward(theta);
    run.backward(theta, given, dy.shown);
    check_equal(std::as_const(written), std::as_const(given));

    std::vector<T> turned(rows * bound * 6);  // features are not adjacent
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < rows * bound; ++k)
        turned[std::size_t(j * rows * bound + k)] = dy.shown(k / bound, k % bound, j);
    given.set_zero();
    run.forward(theta);
    run.backward(theta, given, view<T>(turned.data(), {rows, bound, 6}, {bound, 1, rows * bound}));
    check_equal(std::as_const(written), std::as_const(given));
  }
}

TEST_CASE_TEMPLATE("adjoints of several outputs, of which some are one memory", M, oracle, processor) {
  using T = typename M::scalar;
  using session = typename M::template differentiation<several, void, batch<rows + 1>>;
  typename M::template parameters<several> theta(seed{3}), written(zeros{}), given(zeros{});
  session writer, giver;  // a row more than there will be; the giver's adjoints are never shown
  set_input<"words">(writer, words);
  set_input<"words">(giver, words);
  writer.forward(theta);
  const adjoint<T> e(get<"e">(writer), 1), h_n(get<"y.h_n">(writer), 2), last(get<"y.final">(writer), 3),
      s(get<"s">(writer), 4), t(get<"t">(writer), 5);
  e.add_to(output_adjoint<"e">(writer));
  h_n.add_to(output_adjoint<"y.h_n">(writer));
  last.add_to(output_adjoint<"y.final">(writer));
  s.add_to(output_adjoint<"s">(writer));
  t.add_to(output_adjoint<"t">(writer));
  writer.backward(theta, written);
  for (int times = 0; times < 3; ++times) {
    given.set_zero();
    giver.forward(theta);
    giver.backward(theta, given, e.shown, h_n.shown, last.shown, s.shown, t.shown);
    check_equal(std::as_const(written), std::as_const(given));
  }
}

TEST_CASE_TEMPLATE("an output that is a part of what is no output", M, oracle, processor) {
  using T = typename M::scalar;
  using part = graph<"part", input<"words", token<9>, steps<bound>>, node<"e", embedding<9, 6>, "words">,
                     node<"y", gru<4, bidirectional>, "e">, node<"s", linear<5>, "y">, node<"z", gru<4>, "s">,
                     output<"y.final">, output<"z.final">>;
  typename M::template parameters<part> theta(seed{3}), written(zeros{}), given(zeros{});
  typename M::template differentiation<part, void, batch<rows>> writer, giver;
  set_input<"words">(writer, words);
  set_input<"words">(giver, words);
  writer.forward(theta);
  const adjoint<T> y(get<"y.final">(writer), 1), z(get<"z.final">(writer), 2);
  y.add_to(output_adjoint<"y.final">(writer));
  z.add_to(output_adjoint<"z.final">(writer));
  writer.backward(theta, written);
  for (int times = 0; times < 3; ++times) {
    given.set_zero();
    giver.forward(theta);
    giver.backward(theta, given, y.shown, z.shown);
    check_equal(std::as_const(written), std::as_const(given));
  }
}

TEST_CASE_TEMPLATE("after forward adjoints are zero, whatever the last backward pass left there", M, oracle,
                   processor) {
  using T = typename M::scalar;
  typename M::template parameters<several> theta(seed{3}), gradients(zeros{});
  typename M::template differentiation<several, void, batch<rows>> run;
  set_input<"words">(run, words);
  run.forward(theta);
  const adjoint<T> e(get<"e">(run), 1), h_n(get<"y.h_n">(run), 2), last(get<"y.final">(run), 3),
      s(get<"s">(run), 4), t(get<"t">(run), 5);
  run.backward(theta, gradients, e.shown, h_n.shown, last.shown, s.shown, t.shown);
  gradients.set_zero();
  run.forward(theta);
  run.backward(theta, gradients);
  for (int k = 0; k < gradients.block_size; ++k) REQUIRE(std::as_const(gradients).data()[k] == T(0));

  run.forward(theta);
  run.backward(theta, gradients, e.shown, h_n.shown, last.shown, s.shown, t.shown);
  run.forward(theta);
  tenon::detail::for_each_element<3>(output_adjoint<"t">(run), [](T x, auto...) { REQUIRE(x == T(0)); });
}

TEST_CASE_TEMPLATE("both ways in turn: what was written before is no part of what is given", M, oracle,
                   processor) {
  using T = typename M::scalar;
  typename M::template parameters<gathered> theta(seed{3}), first(zeros{}), again(zeros{});
  typename M::template differentiation<gathered, void, batch<rows>> run;
  set_input<"words">(run, words);
  run.forward(theta);
  const adjoint<T> dy(get<"e">(run), 7);
  run.backward(theta, first, dy.shown);

  run.forward(theta);
  const view<T> kept = output_adjoint<"e">(run);
  dy.add_to(kept);
  run.backward(theta, again);
  check_equal(std::as_const(first), std::as_const(again));

  run.forward(theta);
  dy.add_to(kept);
  again.set_zero();
  run.backward(theta, again, dy.shown);  // must not be added twice
  check_equal(std::as_const(first), std::as_const(again));

  run.forward(theta);
  dy.add_to(kept);  // a view from before still is the adjoint
  again.set_zero();
  run.backward(theta, again);
  check_equal(std::as_const(first), std::as_const(again));
}

TEST_CASE("an adjoint that output_adjoint shows is refused: it would be cleared before it is read") {
  parameters<gathered> theta(seed{3}), gradients(zeros{});
  differentiation<gathered, void, batch<rows>> run;
  set_input<"words">(run, words);
  run.forward(theta);
  output_adjoint<"e">(run)(0, 0, 0) = 2;
  CHECK_THROWS_WITH_AS(
      run.backward(theta, gradients, output_adjoint<"e">(run)),
      "adjoint of output 'e': what output_adjoint shows is this session's; call backward(theta, "
      "gradients)",
      input_error);
  CHECK(output_adjoint<"e">(run)(0, 0, 0) == 2);
  run.backward(theta, gradients);
  CHECK(get<"e.weight">(gradients)(1, 0) == 2);
}

TEST_CASE("backward with adjoints allocates nothing") {
  using wide =
      graph<"wide", input<"words", token<9>, steps<100>>, node<"e", embedding<9, 128>, "words">, output<"e">>;
  parameters<wide> theta(seed{3}), gradients(zeros{});
  differentiation<wide, void, batch<100>> run;
  set_input<"words">(run, std::vector(100, std::vector<int>(100, 3)));
  run.forward(theta);
  const adjoint<float> dy(get<"e">(run), 1);
  CHECK(allocations_of([&] { run.backward(theta, gradients, dy.shown); }) == 0);
}

TEST_CASE("gradients that are the parameters themselves are refused") {
  parameters<gathered> theta(seed{1}), gradients(zeros{});
  const parameters<gathered> before = theta;
  differentiation<gathered, void, batch<rows>> run;
  set_input<"words">(run, words);
  run.forward(theta);
  const adjoint<float> dy(get<"e">(run), 3);
  const char* const sentence =
      "backward: the gradients would be added to the parameters themselves; give them a block of their own, "
      "parameters<graph> gradients(zeros{})";
  CHECK_THROWS_WITH_AS(run.backward(theta, theta), sentence, input_error);
  CHECK_THROWS_WITH_AS(run.backward(theta, theta, dy.shown), sentence, input_error);
  check_equal(theta, before);
  run.backward(theta, gradients, dy.shown);  // the forward pass still counts
}
TEST_CASE("an adjoint of another shape is refused, and changes nothing") {
  parameters<several> theta(seed{3}), gradients(zeros{});
  differentiation<several, void, batch<rows>> run;
  set_input<"words">(run, words);
  run.forward(theta);
  const adjoint<float> e(get<"e">(run), 1), h_n(get<"y.h_n">(run), 2), last(get<"y.final">(run), 3),
      s(get<"s">(run), 4), t(get<"t">(run), 5);
  const auto refused = [&](const auto& wrong, const std::string& message) {
    std::string said;
    try {
      run.backward(theta, gradients, e.shown, h_n.shown, last.shown, s.shown, wrong);
    } catch (const input_error& x) { said = x.what(); }
    CHECK(said == message);
    for (int k = 0; k < gradients.block_size; ++k) REQUIRE(std::as_const(gradients).data()[k] == 0);
    tenon::detail::for_each_element<3>(output_adjoint<"s">(run), [](float x, auto...) { REQUIRE(x == 0); });
  };
  refused(s.shown, "adjoint of output 't': expected [3, 5, 2], got [3, 5, 3]");
  refused(last.shown, "adjoint of output 't': expected [3, 5, 2], got [3, 4]");
  refused(view<float>{}, "adjoint of output 't': expected [3, 5, 2], got []");
  run.backward(theta, gradients, e.shown, h_n.shown, last.shown, s.shown, t.shown);
}

}  // namespace tenon::test
