// check_threads<G, Objective, Rule>: a network has the same bits for any number of threads: its outputs, the updates of a training, and the steps
// of a stream. On a backend that shares kernels of any size.
#pragma once

#include "support/check_network.hpp"
#include "tenon/nn/nn.hpp"

namespace tenon::test {

struct eager_cpu : backend::cpu {};
constexpr sharing_limits limits_of_sharing(eager_cpu) {
  return {.multiply_adds = 1, .weights = 1, .numbers = 1, .multiply_adds_at_once = 1, .numbers_at_once = 1};
}

template <concepts::Graph G>
parameters<G> drawn_parameters() {
  parameters<G> theta(zeros{});
  random_numbers random(9);
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<float>(0.4 * random());
  return theta;
}
inline std::vector<int> mixed_lengths(int rows, int most) {
  std::vector<int> all;
  for (int r = 0; r < rows; ++r) all.push_back(r % 3 == 0 ? most : (r * 7 + 1) % (most + 1));
  return all;
}
template <concepts::Graph G>
inline constexpr int steps_of_first_axis = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;

template <concepts::Graph G, int Rows>
void check_threads_of_inference() {
  using running = inference<G, batch<Rows>, on<eager_cpu>>;
  static_assert(running::plan::shares_kernels);
  const parameters<G> theta = drawn_parameters<G>();
  running alone(theta);
  for (const int given : {Rows, (Rows + 1) / 2}) {
    const sample<G> s(mixed_lengths(given, steps_of_first_axis<G>), 1);
    const findings expected = outputs_of(alone, theta, s);
    for (const int count : {2, 3, 8}) {
      INFO(count, " threads, ", given, " of ", Rows, " rows");
      running shared(theta, threads{count});
      check_same(expected, outputs_of(shared, theta, s));
    }
  }
}

template <concepts::Graph G, class Objective, class Rule, int Rows>
void check_threads_of_training() {
  using training = trainer<G, Objective, Rule, batch<Rows>, on<eager_cpu>>;
  static_assert(training::plan::shares_kernels);
  const sample<G, Objective> s(mixed_lengths(Rows, steps_of_first_axis<G>), 1);
  const auto trained = [&](int count) {
    parameters<G> theta = drawn_parameters<G>();
    training train(theta, {.learning_rate = 0.01}, seed{5}, threads{count});
    train.max_norm = 0.5;
    train.max_value = 0.2;
    findings f;
    for (int step = 0; step < 3; ++step) {
      s.feed(train);
      f["loss"].push_back(double(train.step()));
      train.accumulate = 2;
    }
    train.update();
    for (int k = 0; k < theta.block_size; ++k) f["numbers"].push_back(double(std::as_const(theta).data()[k]));
    train.gradients().for_each([&](std::string_view path, auto v) {
      for (std::size_t k = 0; k < v.size(); ++k)
        f["gradient of " + std::string(path)].push_back(double(v.data()[k]));
    });
    return f;
  };
  const findings expected = trained(1);
  for (const int count : {2, 3, 8}) {
    INFO(count, " threads, ", Rows, " rows");
    check_same(expected, trained(count));
  }
}

template <concepts::Graph G, class Objective, class Rule = optimizers::adam>
void check_threads() {
  check_threads_of_inference<G, 11>();
  check_threads_of_training<G, Objective, Rule, 1>();
  check_threads_of_training<G, Objective, Rule, 19>();
}

template <class Layer, int D, int T = 5>
using along = graph<"along", input<"x", features<D>, steps<T>>, node<"h", Layer, "x">,
                    node<"y", nn::linear<3>, "h">, output<"y">>;
template <class Layer, int D>
using along_nothing = graph<"along_nothing", input<"x", features<D>>, node<"h", Layer, "x">,
                            node<"y", nn::linear<3>, "h">, output<"y">>;
using mean_square = losses::mse<"y">;

}  // namespace tenon::test
