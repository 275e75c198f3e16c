// The adaptive softmax: its laws, PyTorch's numbers, and that its probabilities are those of classes.
#include "tenon/nn/adaptive_softmax.hpp"

#include "engine/golden_case.hpp"
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"
#include "tenon/nn/loss.hpp"

#include <cmath>

namespace tenon::test {
using namespace nn;

TEST_CASE("the adaptive softmax") { check_laws<over_time<adaptive_softmax<7, 2, 4>, 17, 3>>(); }

TEST_CASE_TEMPLATE("the adaptive softmax agrees with PyTorch", M, oracle, processor) {
  using G = graph<"golden", input<"input", features<17>>, node<"layer", adaptive_softmax<12, 3, 7>, "input">,
                  output<"layer">>;
  const golden::file f = golden::read("adaptive_softmax");
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  load(theta, f);
  typename M::template differentiation<G, void, batch<6>, input_gradients> run;
  set_input<"input">(run, shaped(f["input"]));
  run.forward(theta);
  compare(get<"layer">(run), f["output"], 2e-6, "output");
  for (int row = 0; row < run.rows(); ++row) {
    double all = 0;
    for (int k = 0; k < 12; ++k) all += std::exp(static_cast<double>(get<"layer">(run)(row, k)));
    CHECK(all == doctest::Approx(1).epsilon(1e-6));
  }
  fill(output_adjoint<"layer">(run), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 1e-5);
  compare(input_gradient<"input">(run), f["grad.input.input"], 1e-5, "input");
}

}  // namespace tenon::test
