// Cells of the papers against PyTorch's automatic differentiation of their equations: Cho's GRU, and MUT1.
#include "engine/golden_case.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

template <class M, class Layer>
void check_cell(const char* file) {
  using G = graph<"golden", input<"input", features<5>, steps<4>>, input<"h0", features<3>>,
                  node<"layer", Layer, "input", "h0">, output<"layer">, output<"layer.h_n">>;
  const golden::file f = golden::read(file);
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  load(theta, f, "_l0");
  typename M::template differentiation<G, void, batch<3>, input_gradients> run;
  set_input<"input">(run, shaped(f["input"]));
  set_input<"h0">(run, with_layers<1>(f["h0"]));
  run.forward(theta);
  compare(get<"layer">(run), f["output"], 1e-6, "output");
  compare(get<"layer.h_n">(run), f["h_n"], 1e-6, "h_n");
  fill(output_adjoint<"layer">(run), f["grad_output.output"]);
  fill(output_adjoint<"layer.h_n">(run), f["grad_output.h_n"]);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 1e-5, "_l0");
  compare(input_gradient<"input">(run), f["grad.input.input"], 1e-5, "input");
  compare(input_gradient<"h0">(run), f["grad.input.h0"], 1e-5, "h0");
}

TEST_CASE_TEMPLATE("Cho's GRU agrees with PyTorch", M, oracle, processor) {
  check_cell<M, recurrent<cells::gru_cho, hidden<3>>>("gru_cho");
}
TEST_CASE_TEMPLATE("MUT1 agrees with PyTorch", M, oracle, processor) {
  check_cell<M, recurrent<cells::mut1, hidden<3>>>("mut1");
}

}  // namespace tenon::test
