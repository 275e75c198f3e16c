// Dot attention against PyTorch: context, weights and gradients, with a sequence of length 0.
#include "engine/golden_case.hpp"
#include "tenon/nn/attention.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE_TEMPLATE("dot attention agrees with PyTorch", M, oracle, processor) {
  using G = graph<"golden", input<"query", features<5>>, input<"states", features<5>, steps<6>>,
                  node<"layer", attention<score::dot>, "query", "states">, output<"layer">,
                  output<"layer.weights">>;
  const golden::file f = golden::read("attention_dot");
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  typename M::template differentiation<G, void, batch<6>, input_gradients> run;
  set_input<"query">(run, shaped(f["query"]));
  set_input<"states">(run, shaped(f["states"]), as_ints(f["lengths"]));
  run.forward(theta);
  compare(get<"layer">(run), f["context"], 2e-6, "context");
  compare(get<"layer.weights">(run), f["weights"], 2e-6, "weights");

  fill(output_adjoint<"layer">(run), f["grad_output.context"]);
  run.backward(theta, gradients);
  compare(input_gradient<"query">(run), f["grad.input.query"], 1e-5, "query");
  compare(input_gradient<"states">(run), f["grad.input.states"], 1e-5, "states");
  for (int j = 0; j < 5; ++j) CHECK(get<"layer">(run)(1, j) == 0);  // length 0: zeros, not NaN
}

}  // namespace tenon::test
