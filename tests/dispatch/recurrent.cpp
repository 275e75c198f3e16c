// Compiled once for each instruction set; FUNCTION is the name of its function.
#include "recurrent.hpp"

#include <tenon/tenon.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using recurrent_network =
    graph<"recurrent", input<"x", features<3>, steps<7>>, node<"states", lstm<40>, "x">,
          node<"logits", linear<4>, "states.final">, output<"states.final">, output<"logits">>;

answers FUNCTION() {
  std::vector<float> x(5 * 7 * 3);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<float>(k));
  const view<const float> input(x.data(), {5, 7, 3}, {21, 3, 1});
  parameters<recurrent_network> theta(seed{1});
  answers all;

  inference<recurrent_network, batch<5>> whole;
  const auto keep = [](const auto& y, float* to) {
    for (int r = 0; r < 5; ++r)
      for (int k = 0; k < 40; ++k) *to++ = static_cast<float>(y(r, k));
  };
  keep(std::get<0>(whole(theta, input)), all.inference);

  streaming<recurrent_network, batch<5>> live;
  for (int t = 0; t < 7; ++t) {
    std::vector<float> now(15);
    for (int r = 0; r < 5; ++r) std::copy_n(x.data() + r * 21 + t * 3, 3, now.data() + r * 3);
    keep(std::get<0>(live.step(theta, now)), all.streaming);
  }

  trainer<recurrent_network, losses::cross_entropy<"logits">, optimizers::adam, batch<5>> train(
      theta, {.learning_rate = 1e-2});
  set_input<"x">(train, input);
  set_input<"target">(train, std::vector{0, 1, 2, 3, 0});
  train.step();
  keep(std::get<0>(whole(theta, input)), all.trained);

  // Gradients in double of two batches each, clipped and scaled; some parameters start as orthogonal matrices, and the learning rate falls.
  parameters<recurrent_network, double> exact(seed{2});
  initialize(exact, "*weight_hh*", init::orthogonal(), seed{2});
  trainer<recurrent_network, losses::cross_entropy<"logits">, optimizers::adamw, batch<5>,
          scalar_type<double>>
      clipping(exact, {.weight_decay = 0.03});
  clipping.max_norm = 0.1;
  clipping.max_value = 0.02;
  clipping.accumulate = 2;
  clipping.average_decay = 0.7;
  const schedules::schedule falling = schedules::cosine(0.037, 0.0011);
  for (int k = 0; k < 6; ++k) {
    clipping.optimizer().learning_rate = falling({.step = k, .steps = 7});
    set_input<"x">(clipping, input);
    set_input<"target">(clipping, std::vector{0, 1, 2, 3, k == 3 ? -1 : 0});
    clipping.step();
  }
  exact = clipping.averaged();
  optimizers::clip_norm(exact, 0.9 * optimizers::global_norm(exact));
  optimizers::clip_value(exact, 0.3);
  inference<recurrent_network, batch<5>, scalar_type<double>, on<backend::reference>> naive;
  const auto states = std::get<0>(naive(exact, input));  // a view; the tuple ends with the line
  for (int r = 0; r < 5; ++r)
    for (int k = 0; k < 40; ++k) all.clipped[r * 40 + k] = states(r, k);
  return all;
}
