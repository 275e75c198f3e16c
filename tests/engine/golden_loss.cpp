// Cross-entropy against PyTorch: the loss and the gradient of the logits, with an ignored target and large
// logits.
#include "engine/golden_case.hpp"
#include "tenon/nn/loss.hpp"

#include <cmath>

namespace tenon::test {

struct same {
  static constexpr auto at(auto x) { return x; }
};

TEST_CASE_TEMPLATE("cross-entropy agrees with PyTorch", M, oracle, processor) {
  using G = graph<"golden", input<"x", features<7>>, node<"logits", same, "x">, output<"logits">>;
  const golden::file f = golden::read("cross_entropy");
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  typename M::template differentiation<G, losses::cross_entropy<"logits">, batch<8>, input_gradients> run;
  set_input<"x">(run, shaped(f["logits"]));
  set_input<"target">(run, as_ints(f["targets"]));
  const double loss = run.forward(theta), expected = f["loss"].values[0];
  CHECK(std::abs(loss - expected) <= 1.3e-6 * expected + 1e-5);
  CHECK(run.loss() == loss);
  run.backward(theta, gradients);
  compare(input_gradient<"x">(run), f["grad.input.logits"], 1e-6, "logits");
  for (int j = 0; j < 7; ++j) CHECK(input_gradient<"x">(run)(3, j) == 0);  // its target is -1
}

TEST_CASE_TEMPLATE("cross-entropy of a sequence is the mean over all steps of all rows", M, oracle,
                   processor) {
  // The rows of the golden file as two sequences of 4 and 2 steps.
  using G = graph<"golden", input<"x", features<7>, steps<5>>, node<"logits", same, "x">, output<"logits">>;
  const golden::file f = golden::read("cross_entropy");
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  typename M::template differentiation<G, losses::cross_entropy<"logits">, batch<3>, input_gradients> run;
  const std::vector<int> lengths{4, 2}, t = as_ints(f["targets"]);
  std::vector<float> x(2 * 4 * 7, std::nanf(""));
  std::copy(f["logits"].values.begin(), f["logits"].values.end(), x.begin());
  set_input<"x">(run, view<const float>(x.data(), {2, 4, 7}, {28, 7, 1}), lengths);
  set_input<"target">(run, std::vector<std::vector<int>>{{t[0], t[1], t[2], t[3]}, {t[4], t[5]}});
  const double loss = run.forward(theta), expected = f["loss"].values[0];
  CHECK(std::abs(loss - expected) <= 1.3e-6 * expected + 1e-5);
  run.backward(theta, gradients);
  const auto g = input_gradient<"x">(run);
  const auto& dx = f["grad.input.logits"].values;
  for (int r = 0; r < 6; ++r)
    for (int j = 0; j < 7; ++j)
      CHECK(g(r / 4, r % 4, j) == doctest::Approx(dx[static_cast<std::size_t>(r * 7 + j)]).epsilon(1e-5));
  for (int step = 2; step < 5; ++step)
    for (int j = 0; j < 7; ++j) CHECK(g(1, step, j) == 0);
}

TEST_CASE_TEMPLATE("the mean of a million steps is right to 1e-7", M, oracle, processor) {
  using G = graph<"long", input<"x", features<2>, steps<1000>>, node<"y", same, "x">, output<"y">>;
  typename M::template parameters<G> theta(zeros{});
  typename M::template differentiation<G, losses::cross_entropy<"y">, batch<1000>> run;
  const std::vector<typename M::scalar> x(2'000'000, 1000);  // equal logits: each loss is log 2
  set_input<"x">(run, view<const typename M::scalar>(x.data(), {1000, 1000, 2}, {2000, 2, 1}));
  set_input<"target">(run, std::vector(1000, std::vector<int>(1000, 1)));
  CHECK(std::abs(static_cast<double>(run.forward(theta)) / std::log(2.0) - 1) <= 1e-7);
}

TEST_CASE_TEMPLATE("without any counted row the loss and its gradient are zero", M, oracle, processor) {
  using G = graph<"golden", input<"x", features<7>>, node<"logits", same, "x">, output<"logits">>;
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  typename M::template differentiation<G, losses::cross_entropy<"logits">, batch<8>, input_gradients> run;
  set_input<"x">(run, std::vector<float>(14, 0.5f));
  set_input<"target">(run, std::vector<int>{-1, -1});
  CHECK(run.forward(theta) == 0);
  run.backward(theta, gradients);
  for (int r = 0; r < 2; ++r)
    for (int j = 0; j < 7; ++j) CHECK(input_gradient<"x">(run)(r, j) == 0);
}

TEST_CASE_TEMPLATE("a loss of logits that nobody learns", M, oracle, processor) {
  using fixed = graph<"fixed", input<"x", features<3>>, node<"y", same, "x">, output<"y">>;
  typename M::template differentiation<fixed, losses::cross_entropy<"y">> d;
  typename M::template parameters<fixed> theta(seed{1}), gradients(seed{1});
  set_input<"x">(d, std::vector<typename M::scalar>{0, 0, 0});
  set_input<"target">(d, std::vector<int>{1});
  CHECK(static_cast<double>(d.forward(theta)) == doctest::Approx(std::log(3.0)));
  d.backward(theta, gradients);
  CHECK(get<"y">(d)(0, 2) == 0);
}

}  // namespace tenon::test
