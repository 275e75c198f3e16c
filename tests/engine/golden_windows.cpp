// Convolutions and pooling in one and two dimensions, and a loss of every place, against PyTorch: outputs and every gradient.
#include "engine/golden_case.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/pooling.hpp"

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

using namespace tenon::ir;

template <class M, class G>
void check_windows(const char* file) {
  const golden::file f = golden::read(file);
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  load(theta, f);
  typename M::template differentiation<G, void, batch<4>, input_gradients> run;  // one row stays empty
  set_input<"input">(run, shaped(f["input"]));
  run.forward(theta);
  compare(get<"layer">(run), f["output"], 2e-6, "output");
  fill(output_adjoint<"layer">(run), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 1e-5);
  compare(input_gradient<"input">(run), f["grad.input.input"], 1e-5, "input");
}
template <class M, class Layer, int D, int T>
void check_sequence(const char* file) {
  check_windows<M, graph<"golden", input<"input", features<D>, steps<T>>, node<"layer", Layer, "input">,
                         output<"layer">>>(file);
}
template <class M, class Layer, int D, int Height, int Width>
void check_grid(const char* file) {
  check_windows<M, graph<"golden", input<"input", features<D>, grid<Height, Width>>,
                         node<"layer", Layer, "input">, output<"layer">>>(file);
}

TEST_CASE_TEMPLATE("convolutions agree with PyTorch", M, oracle, processor) {
  check_sequence<M, conv1d<5, 3, stride<2>, padding<2>, dilation<2>>, 4, 9>("conv1d");
  check_grid<M, conv2d<3, 3, 2, stride<2, 1>, padding<1, 0>, dilation<1, 2>>, 2, 7, 6>("conv2d");
}
TEST_CASE_TEMPLATE("pooling agrees with PyTorch", M, oracle, processor) {
  check_sequence<M, max_pool1d<3, stride<2>, padding<1>>, 2, 8>("max_pool1d");
  check_grid<M, max_pool2d<3, 2, stride<2, 1>, padding<1, 0>>, 2, 6, 5>("max_pool2d");
  check_grid<M, avg_pool2d<2, 3, stride<2>, padding<1>>, 2, 5, 6>("avg_pool2d");
}

TEST_CASE_TEMPLATE("a class for each place of a grid agrees with PyTorch", M, oracle, processor) {
  using G = graph<"golden", input<"input", features<3>, grid<4, 6>>,
                  node<"layer", conv2d<5, 1, 1, stride<2>>, "input">, output<"layer">>;
  using loss = losses::cross_entropy<"layer", "target", losses::class_weights<1, 2, 0.5, 1, 3>,
                                     losses::label_smoothing<0.1>>;
  const golden::file f = golden::read("pixels");
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  load(theta, f);
  typename M::template differentiation<G, loss, batch<4>, input_gradients> run;  // one row stays empty
  set_input<"input">(run, shaped(f["input"]));
  const std::vector<int> targets = as_ints(f["targets"]);
  set_input<"target">(run, view<const int>(targets.data(), {3, 2, 3}, {6, 3, 1}));
  CHECK(std::abs(double(run.forward(theta)) - double(f["loss"].values[0])) < 2e-6);
  run.backward(theta, gradients);
  compare_gradients(gradients, f, 1e-6);
  compare(input_gradient<"input">(run), f["grad.input.input"], 1e-6, "input");
}

}  // namespace tenon::test
