// A layer over a sequence, or over one that sees another, against PyTorch: outputs and every gradient, with sequences of different
// lengths on both axes.
#pragma once

#include "engine/golden_case.hpp"

namespace tenon::test {

using namespace tenon::ir;

template <class Session>
void read_input(Session& run, const golden::file& f, std::integral_constant<int, 0>) {
  set_input<"query">(run, shaped(f["query"]), as_ints(f["query_lengths"]));
}
template <class Session>
void read_input(Session& run, const golden::file& f, std::integral_constant<int, 1>) {
  set_input<"memory">(run, shaped(f["memory"]), as_ints(f["memory_lengths"]));
}
template <class M, class G>
void check_sequences(const char* file, std::string_view suffix) {
  constexpr int inputs = network_of<G>.inputs.size;
  const golden::file f = golden::read(file);
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  load(theta, f, suffix);
  typename M::template differentiation<G, void, batch<4>, input_gradients> run;  // one row stays empty
  read_input(run, f, std::integral_constant<int, 0>{});
  if constexpr (inputs > 1) read_input(run, f, std::integral_constant<int, 1>{});
  run.forward(theta);
  compare(get<"layer">(run), f["output"], 5e-6, "output");
  fill(output_adjoint<"layer">(run), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 3e-5, suffix);
  compare(input_gradient<"query">(run), f["grad.input.query"], 3e-5, "query");
  if constexpr (inputs > 1) compare(input_gradient<"memory">(run), f["grad.input.memory"], 3e-5, "memory");
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

}  // namespace tenon::test
