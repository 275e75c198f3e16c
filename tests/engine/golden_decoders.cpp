// Decoders with attention, each as in its paper, against PyTorch.
#include "engine/golden_sequences.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

struct attending_gru : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
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

struct gru_inside : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">), z = sigmoid(W<"z">(x) + U<"z">(h) + b<"z">);
    return (1 - z) * h + z * tanh(W<"n", 6>(x) + U<"n">(r * h) + b<"n">);
  }
};
// Luong et al. 2015: the general score, the attentional vector, and its input feeding.
struct luong_decoder : equations::symbols {
  static constexpr auto step(auto y, auto h, auto attentional, auto memory) {
    const auto next_h = gru_inside::step(concat(y, attentional), h);
    const auto weights = softmax<"source">(dot(next_h, W<"a", 6>(memory)));
    const auto found = sum<"source">(weights * memory);
    const auto next_attentional = tanh(W<"c", 6>(concat(found, next_h)));
    return next(next_h, next_attentional).emitting(next_attentional);
  }
};
// The decoder of PyTorch's tutorial: a weight for each of 5 steps from the input and the state.
struct tutorial_decoder : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto weights = softmax(W<"attn", 5>(concat(y, s)) + b<"attn">);
    const auto found = sum<"source">(pick(weights, position_of<"source">(memory)) * memory);
    return gru_inside::step(relu(W<"combine", 6>(concat(y, found)) + b<"combine">), s);
  }
};
TEST_CASE_TEMPLATE("Luong's decoder, with input feeding, agrees with PyTorch", M, oracle, processor) {
  check_with_memory<M, recurrent<luong_decoder, hidden<6>>, 3, 4>("luong_decoder", "_l0");
}
TEST_CASE_TEMPLATE("the tutorial's decoder agrees with PyTorch", M, oracle, processor) {
  check_with_memory<M, recurrent<tutorial_decoder, hidden<6>>, 3, 4>("tutorial_decoder", "_l0");
}

}  // namespace tenon::test
