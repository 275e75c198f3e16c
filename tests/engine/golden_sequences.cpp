// Attention of sequences, the blocks of a transformer and a decoder that attends, against PyTorch: outputs and every
// gradient, with sequences of different lengths on both axes.
#include "engine/golden_case.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/nn/transformer.hpp"

namespace tenon::test {

using namespace tenon::ir;

template <class Session>
void read_input(Session& run, const golden::file& f, std::integral_constant<int, 0>) {
  run.template input<"query">(shaped(f["query"]), as_ints(f["query_lengths"]));
}
template <class Session>
void read_input(Session& run, const golden::file& f, std::integral_constant<int, 1>) {
  run.template input<"memory">(shaped(f["memory"]), as_ints(f["memory_lengths"]));
}
template <class M, class G>
void check_sequences(const char* file, std::string_view suffix) {
  constexpr int inputs = network_of<G>.inputs.size;
  const golden::file f = golden::read(file);
  typename M::template parameters<G> theta, gradients;
  load(theta, f, suffix);
  typename M::template differentiation<G, void, batch<4>, input_gradients> run;  // one row stays empty
  read_input(run, f, std::integral_constant<int, 0>{});
  if constexpr (inputs > 1) read_input(run, f, std::integral_constant<int, 1>{});
  run.forward(theta);
  compare(run.template output<"layer">(), f["output"], 5e-6, "output");
  fill(run.template output_adjoint<"layer">(), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 3e-5, suffix);
  compare(run.template input_gradient<"query">(), f["grad.input.query"], 3e-5, "query");
  if constexpr (inputs > 1)
    compare(run.template input_gradient<"memory">(), f["grad.input.memory"], 3e-5, "memory");
}
template <class M, class Layer, int D, int T>
void check_alone(const char* file) {
  check_sequences<M, graph<"golden", input<"query", features<D>, steps<T>>, node<"layer", Layer, "query">,
                           output<"layer">>>(file, "");
}
template <class M, class Layer, int D, int Memory>
void check_with_memory(const char* file, std::string_view suffix = "") {
  check_sequences<M, graph<"golden", input<"query", features<D>, steps<4, "target">>,
                           input<"memory", features<Memory>, steps<5, "source">>,
                           node<"layer", Layer, "query", "memory">, output<"layer">>>(file, suffix);
}

TEST_CASE_TEMPLATE("multi-head attention agrees with PyTorch", M, oracle, processor) {
  check_alone<M, multi_head<8, 2>, 8, 5>("multi_head_self");
  check_alone<M, multi_head<6, 3, is_causal>, 6, 5>("multi_head_causal");
  check_with_memory<M, multi_head<6, 3>, 6, 4>("multi_head_cross");
}
TEST_CASE_TEMPLATE("the blocks of a transformer agree with PyTorch", M, oracle, processor) {
  check_alone<M, transformer_encoder<8, 2, 12>, 8, 5>("transformer_encoder");
  check_alone<M, transformer_encoder<6, 3, 10, norm_first, activation::gelu>, 6, 4>(
      "transformer_encoder_norm_first");
  check_with_memory<M, transformer_decoder<6, 2, 9>, 6, 6>("transformer_decoder");
}

struct attending_gru {
  static constexpr auto step(auto y, auto s, auto memory) {
    using namespace equations;
    const auto e = matrix<"v", 1>(tanh(W<"a", 7>(s) + U<"a", 7>(memory)));
    const auto c = sum<"source">(softmax<"source">(e) * memory);
    const auto z = sigmoid(W<"z">(y) + U<"z">(s) + V<"z">(c) + b<"z">);
    const auto r = sigmoid(W<"r">(y) + U<"r">(s) + V<"r">(c) + b<"r">);
    const auto n = tanh(W<"n">(y) + U<"n">(r * s) + V<"n">(c) + b<"n">);
    return (1 - z) * s + z * n;
  }
};
TEST_CASE_TEMPLATE("Bahdanau's decoder agrees with PyTorch", M, oracle, processor) {
  check_with_memory<M, recurrent<attending_gru, hidden<6>>, 3, 4>("attending_gru", "_l0");
}

}  // namespace tenon::test
