// A translator of few words, whose decoder outputs its attention weights, and the oracle for decoders: runs of the whole output.
#pragma once

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::test {
using namespace nn;

using tokens = std::vector<int>;
using sentences = std::vector<tokens>;

// log p of the token after the written ones, from a whole run.
template <class Session>
std::vector<double> log_probabilities(Session& whole, int start, tokens written) {
  written.insert(written.begin(), start);
  set_input<"word">(whole, sentences{written});
  whole.run();
  const auto x = get<"logits">(whole)[0][written.size() - 1];
  long double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += std::exp(static_cast<long double>(x(k)));
  std::vector<double> all;
  for (std::size_t k = 0; k < x.size(); ++k) all.push_back(static_cast<double>(x(k) - std::log(sum)));
  return all;
}

// --- a decoder that attends ------------------------------------------------------------------------------------
struct showing_gru : equations::symbols {  // Bahdanau's attention, and its weights beside the state
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto weights = softmax<"source">(matrix<"v", 1>(tanh(W<"a", 5>(s) + U<"a", 5>(memory))));
    const auto c = sum<"source">(weights * memory);
    const auto z = sigmoid(W<"z", 6>(y) + U<"z">(s) + V<"z">(c));
    const auto n = tanh(W<"n", 6>(y) + U<"n">(s) + V<"n">(c));
    return next((1 - z) * s + z * n).emitting(concat((1 - z) * s + z * n, as_features<"source">(weights)));
  }
};
struct first_six {
  static constexpr auto at(auto x) { return slice<0, 6>(x); }
};
struct last_four {
  static constexpr auto at(auto x) { return slice<6, 4>(x); }
};
using translator =
    graph<"translator", input<"source", token<9>, steps<4, "source">>,
          input<"word", token<8>, steps<6, "target">>, node<"read", embedding<9, 4>, "source">,
          node<"memory", gru<3, bidirectional>, "read">, node<"before", embedding<8, 4>, "word">,
          node<"decoder", recurrent<showing_gru, hidden<6>>, "before", "memory">,
          node<"state", first_six, "decoder">, node<"weights", last_four, "decoder">,
          node<"logits", linear<7>, "state">, output<"logits">, output<"weights">>;
inline constexpr int start = 7, end = 0;
inline const sentences sources{{1, 2, 3, 4}, {5, 6}, {7, 8, 1}};

inline parameters<translator> some_weights(int s, float end_bias) {
  parameters<translator> theta(seed{static_cast<std::uint64_t>(s)});
  auto table = get<"before.weight">(theta);
  for (int k = 0; k < 8; ++k)
    for (int j = 0; j < 4; ++j) table(k, j) *= 3;
  auto logits = get<"logits.weight">(theta);
  for (int k = 0; k < 7; ++k)
    for (int j = 0; j < 6; ++j) logits(k, j) *= 6;
  get<"logits.bias">(theta)(end) += end_bias;
  return theta;
}

}  // namespace tenon::test
