// Writes a sequence of digits backwards: the decoder of Bahdanau et al. 2015 as the paper prints it, a recurrence whose steps
// see the whole sequence. In training it reads the correct previous digits (teacher forcing), in the test its own.
#include "digit_writing.hpp"

using namespace tenon;
using namespace tenon::nn;
using namespace digit_writing;

struct attending_gru : equations::symbols {
  static constexpr auto step(auto y, auto s, auto states) {
    auto e = matrix<"v", 1>(tanh(W<"a", 32>(s) + U<"a", 32>(states)));  // U_a states is computed once for a sequence
    auto c = sum<"source">(softmax<"source">(e) * states);
    auto z = sigmoid(W<"z">(y) + U<"z">(s) + V<"z">(c) + b<"z">);
    auto r = sigmoid(W<"r">(y) + U<"r">(s) + V<"r">(c) + b<"r">);
    auto n = tanh(W<"n">(y) + U<"n">(r * s) + V<"n">(c) + b<"n">);
    return (1 - z) * s + z * n;
  }
};

using reversal = graph<"reversal",
    input<"digits",  token<10>, steps<longest, "source">>,
    input<"written", token<11>, steps<longest, "target">>,  // `start`, then the digit before each
    node<"read",    embedding<10, 16>,                          "digits">,
    node<"states",  gru<24, bidirectional>,                     "read">,
    node<"before",  embedding<11, 16>,                          "written">,
    node<"decoder", recurrent<attending_gru, hidden<48>>,       "before", "states">,
    node<"logits",  linear<10>,                                 "decoder">,
    output<"logits">>;

int main() {
  const auto backwards = [](const sequence& digits) { return sequence(digits.rbegin(), digits.rend()); };
  parameters<reversal> theta(seed{2});
  train(theta, 1500, 5e-3, backwards);
  const double share = share_right(theta, backwards);
  std::printf("Bahdanau's decoder, %ld parameters: %.1f %% of 200 sequences written backwards without a mistake\n", theta.count(),
              100 * share);
  return share >= 0.99 ? 0 : 1;
}
