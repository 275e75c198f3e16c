// A network whose layers are in two sessions, on one backend or on two: the lower layer of encoder and decoder in the first, the upper layers in the
// second, as Sutskever et al. 2014 put each layer on a GPU of its own. The first hands its sequences on; the second hands their adjoints back.
#pragma once

#include "tenon/engine/session/by_name.hpp"
#include "tenon/engine/session/differentiation.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/parameters/copy_by_name.hpp"
#include "tenon/train/optimizers/optimizer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

// clang-format off
using lower_layers = graph<"lower",
    input<"source", token<9>, steps<5, "source">>, input<"word", token<8>, steps<4, "target">>,
    node<"read",     embedding<9, 4>, "source">, node<"encoder_0", lstm<6>, "read">,
    node<"before",   embedding<8, 4>, "word">,   node<"decoder_0", lstm<6>, "before", "encoder_0.h_n", "encoder_0.c_n">,
    output<"encoder_0">, output<"decoder_0">>;
using upper_layers = graph<"upper",
    input<"encoder_0", features<6>, steps<5, "source">>, input<"decoder_0", features<6>, steps<4, "target">>,
    node<"encoder_1", lstm<6>,   "encoder_0">,
    node<"decoder_1", lstm<6>,   "decoder_0", "encoder_1.h_n", "encoder_1.c_n">,
    node<"logits",    linear<8>, "decoder_1">,
    output<"logits">>;
using all_layers = graph<"all",
    input<"source", token<9>, steps<5, "source">>, input<"word", token<8>, steps<4, "target">>,
    node<"read",      embedding<9, 4>, "source">, node<"encoder_0", lstm<6>, "read">,
    node<"before",    embedding<8, 4>, "word">,   node<"decoder_0", lstm<6>, "before", "encoder_0.h_n", "encoder_0.c_n">,
    node<"encoder_1", lstm<6>, "encoder_0">,      node<"decoder_1", lstm<6>, "decoder_0", "encoder_1.h_n", "encoder_1.c_n">,
    node<"logits",    linear<8>, "decoder_1">,
    output<"logits">>;
// clang-format on
using loss_of_words = losses::cross_entropy<"logits">;

// The largest difference between the parameters of a part and those of the whole network with the same names.
template <class Part, class T>
double largest_difference(const parameters<Part, T>& part, const parameters<all_layers, T>& whole) {
  parameters<Part, T> expected(zeros{});
  io::copy_by_name(whole, expected);
  double worst = 0;
  for (long k = 0; k < expected.block_size; ++k)
    worst = std::max(worst, std::abs(double(part.data()[k]) - double(expected.data()[k])));
  return worst;
}

// Five steps of Adam with both sessions, beside five of one session with all layers, on the reference.
template <class T, class LowerBackend, class UpperBackend>
void check_two_sessions(double allowed) {
  const std::vector<std::vector<int>> source{{1, 2, 3, 4, 5}, {6}, {7, 8, 0}},
      word{{1, 2}, {3, 4, 5, 6}, {7}}, target{{2, 0}, {4, 5, 6, 0}, {3}};

  parameters<all_layers, T> theta(seed{1}), gradients(zeros{});
  differentiation<all_layers, loss_of_words, batch<3>, scalar_type<T>, on<backend::reference>> whole;
  optimizer<optimizers::adam, all_layers, T> update({.learning_rate = 1e-2});
  set_input<"source">(whole, source);
  set_input<"word">(whole, word);
  set_input<"target">(whole, target);

  parameters<lower_layers, T> of_lower(zeros{}), lower_gradients(zeros{});
  parameters<upper_layers, T> of_upper(zeros{}), upper_gradients(zeros{});
  io::copy_by_name(theta, of_lower);
  io::copy_by_name(theta, of_upper);
  differentiation<lower_layers, void, batch<3>, scalar_type<T>, on<LowerBackend>> lower;
  differentiation<upper_layers, loss_of_words, batch<3>, scalar_type<T>, on<UpperBackend>, input_gradients>
      upper;
  optimizer<optimizers::adam, lower_layers, T> update_lower({.learning_rate = 1e-2});
  optimizer<optimizers::adam, upper_layers, T> update_upper({.learning_rate = 1e-2});
  set_input<"source">(lower, source);
  set_input<"word">(lower, word);
  set_input<"target">(upper, target);
  std::vector<int> source_lengths, target_lengths;
  for (const auto& one : source) source_lengths.push_back(static_cast<int>(one.size()));
  for (const auto& one : word) target_lengths.push_back(static_cast<int>(one.size()));

  for (int step = 0; step < 5; ++step) {
    CAPTURE(step);
    const double expected = double(whole.forward(theta));
    whole.backward(theta, gradients);

    lower.forward(of_lower);
    set_input<"encoder_0">(upper, get<"encoder_0">(lower), source_lengths);
    set_input<"decoder_0">(upper, get<"decoder_0">(lower), target_lengths);
    const double loss = double(upper.forward(of_upper));
    upper.backward(of_upper, upper_gradients);
    lower.backward(of_lower, lower_gradients, input_gradient<"encoder_0">(upper),
                   input_gradient<"decoder_0">(upper));

    CHECK(std::abs(loss - expected) < allowed);
    for (std::size_t r = 0; r < word.size(); ++r)
      for (std::size_t t = 0; t < word[r].size(); ++t)
        for (std::size_t k = 0; k < 8; ++k)
          CHECK(std::abs(double(get<"logits">(upper)(r, t, k)) - double(get<"logits">(whole)(r, t, k))) <
                allowed);
    CHECK(largest_difference(lower_gradients, gradients) < allowed);
    CHECK(largest_difference(upper_gradients, gradients) < allowed);

    update.update(theta, gradients);
    update_lower.update(of_lower, lower_gradients);
    update_upper.update(of_upper, upper_gradients);
    gradients.set_zero();
    lower_gradients.set_zero();
    upper_gradients.set_zero();
  }
  CHECK(largest_difference(of_lower, theta) <
        100 * allowed);  // Adam divides small gradients by small numbers
  CHECK(largest_difference(of_upper, theta) < 100 * allowed);
}

}  // namespace tenon::test
