// Recurrent layers against PyTorch: outputs, final states and every gradient, with lengths {0, 1, 2, T-1, T}
// mixed.
#pragma once

#include "golden/golden.hpp"
#include "support/compare.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tenon::test {

template <class Layer, int Runs>
using golden_graph =
    graph<"golden", input<"input", features<5>, steps<6>>, input<"h0", layers<Runs>, features<3>>,
          node<"layer", Layer, "input", "h0">, output<"layer">, output<"layer.h_n">>;
template <class Layer, int Runs>
using golden_graph_with_c =
    graph<"golden", input<"input", features<5>, steps<6>>, input<"h0", layers<Runs>, features<3>>,
          input<"c0", layers<Runs>, features<Layer::options.hidden[0]>>,
          node<"layer", Layer, "input", "h0", "c0">, output<"layer">, output<"layer.h_n">,
          output<"layer.c_n">>;

template <class Layer, int Runs, class Backend, class T>
void check_recurrent(const std::string& file_name, double output_tolerance, double gradient_tolerance) {
  constexpr bool has_c = Layer::states == 2;
  using G = std::conditional_t<has_c, golden_graph_with_c<Layer, Runs>, golden_graph<Layer, Runs>>;
  const golden::file f = golden::read(file_name);
  CAPTURE(file_name);

  parameters<G, T> theta(zeros{}), gradients(zeros{});
  theta.for_each(
      [&](std::string_view path, auto values) { fill(values, f["param." + std::string(path.substr(6))]); });

  differentiation<G, void, batch<7>, on<Backend>, scalar_type<T>, input_gradients>
      run;  // two rows stay empty
  const auto lengths = as_ints(f["lengths"]);
  set_input<"input">(run, shaped(f["input"]), lengths);
  set_input<"h0">(run, with_layers<Runs>(f["h0"]));
  if constexpr (has_c) set_input<"c0">(run, with_layers<Runs>(f["c0"]));
  run.forward(theta);
  compare(get<"layer">(run), f["output"], output_tolerance, "output");
  compare(get<"layer.h_n">(run), f["h_n"], output_tolerance, "h_n");
  if constexpr (has_c) compare(get<"layer.c_n">(run), f["c_n"], output_tolerance, "c_n");

  fill(output_adjoint<"layer">(run), f["grad_output.output"]);
  fill(output_adjoint<"layer.h_n">(run), f["grad_output.h_n"]);
  if constexpr (has_c) fill(output_adjoint<"layer.c_n">(run), f["grad_output.c_n"]);
  run.backward(theta, gradients);
  gradients.for_each([&](std::string_view path, auto values) {
    compare(values, f["grad." + std::string(path.substr(6))], gradient_tolerance, path);
  });
  compare(input_gradient<"input">(run), f["grad.input.input"], gradient_tolerance, "input");
  compare(input_gradient<"h0">(run), f["grad.input.h0"], gradient_tolerance, "h0");
  if constexpr (has_c) compare(input_gradient<"c0">(run), f["grad.input.c0"], gradient_tolerance, "c0");
}

template <class Layer, int Runs>
void check_recurrent_everywhere(const std::string& file_name) {
  check_recurrent<Layer, Runs, backend::reference, double>(file_name, 1e-6, 1e-5);
  check_recurrent<Layer, Runs, backend::cpu, float>(file_name, 1e-6, 1e-5);
}

}  // namespace tenon::test
