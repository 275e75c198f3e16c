// Dot attention against PyTorch: context, weights and gradients, with a sequence of length 0.
#include "engine/golden_case.hpp"
#include "tenon/nn/attention.hpp"

namespace tenon::test {

TEST_CASE_TEMPLATE("dot attention agrees with PyTorch", M, oracle, processor) {
  using G = graph<"golden", input<"query", features<5>>, input<"states", features<5>, steps<6>>,
                  node<"layer", attention<score::dot>, "query", "states">, output<"layer">,
                  output<"layer.weights">>;
  const golden::file f = golden::read("attention_dot");
  typename M::template parameters<G> theta, gradients;
  typename M::template differentiation<G, void, batch<6>, input_gradients> run;
  run.template input<"query">(shaped(f["query"]));
  run.template input<"states">(shaped(f["states"]), as_ints(f["lengths"]));
  run.forward(theta);
  compare(run.template output<"layer">(), f["context"], 2e-6, "context");
  compare(run.template output<"layer.weights">(), f["weights"], 2e-6, "weights");

  fill(run.template output_adjoint<"layer">(), f["grad_output.context"]);
  run.backward(theta, gradients);
  compare(run.template input_gradient<"query">(), f["grad.input.query"], 1e-5, "query");
  compare(run.template input_gradient<"states">(), f["grad.input.states"], 1e-5, "states");
  for (int j = 0; j < 5; ++j) CHECK(run.template output<"layer">()(1, j) == 0);  // length 0: zeros, not NaN
}

}  // namespace tenon::test
