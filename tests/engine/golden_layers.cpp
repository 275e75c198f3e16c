// Embedding, linear and a user's layer norm against PyTorch: outputs and every gradient.
#include "engine/golden_case.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"

namespace tenon::test {
using namespace nn;

using namespace tenon::ir;

TEST_CASE_TEMPLATE("embedding agrees with PyTorch, padding_idx included", M, oracle, processor) {
  using G = graph<"golden", input<"tokens", token<7>, steps<3>>,
                  node<"layer", embedding<7, 5, padding_idx<2>>, "tokens">, output<"layer">>;
  const golden::file f = golden::read("embedding");
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  load(theta, f);
  typename M::template differentiation<G, void, batch<5>> run;  // one row stays empty
  const auto stored = shaped(f["tokens"]);
  std::vector<std::vector<int>> tokens(stored.shape(0));
  tenon::detail::for_each_element<2>(stored,
                                     [&](auto v, auto r, auto) { tokens[r].push_back(static_cast<int>(v)); });
  set_input<"tokens">(run, tokens);
  run.forward(theta);
  compare(get<"layer">(run), f["output"], 0, "output");
  fill(output_adjoint<"layer">(run), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 1e-6);
  for (int j = 0; j < 5; ++j) CHECK(get<"layer.weight">(gradients)(2, j) == 0);
}

template <class M, class Layer, int In>
void check_rowwise(const char* file) {
  using G = graph<"golden", input<"input", features<In>>, node<"layer", Layer, "input">, output<"layer">>;
  const golden::file f = golden::read(file);
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  load(theta, f);
  typename M::template differentiation<G, void, batch<6>, input_gradients> run;  // not all rows are given
  set_input<"input">(run, shaped(f["input"]));
  run.forward(theta);
  compare(get<"layer">(run), f["output"], 2e-6, "output");
  fill(output_adjoint<"layer">(run), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 1e-5);
  compare(input_gradient<"input">(run), f["grad.input.input"], 1e-5, "input");
}

// Layer normalisation (Ba et al. 2016) as a user writes it.
struct layer_norm : equations::symbols {
  static constexpr auto at(auto x) {
    auto centred = x - mean(x);
    return centred / sqrt(mean(square(centred)) + 1e-5) * vector<"weight"> + vector<"bias">;
  }
};

TEST_CASE_TEMPLATE("linear agrees with PyTorch", M, oracle, processor) {
  check_rowwise<M, linear<3>, 5>("linear");
}
TEST_CASE_TEMPLATE("layer norm as an equation agrees with PyTorch", M, oracle, processor) {
  check_rowwise<M, layer_norm, 7>("layer_norm");
}

}  // namespace tenon::test
