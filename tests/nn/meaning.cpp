// What a loss takes, and which nodes certainly give it something else.
#include "tenon/nn/meaning.hpp"

#include "support/network.hpp"
#include <tenon/nn/activation.hpp>
#include <tenon/nn/adaptive_softmax.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>
#include <tenon/nn/recurrent.hpp>

namespace tenon::test {
using namespace nn;

template <class... Layers>
using ending_in = graph<"ending in", input<"x", features<16>>, node<"y", chain<Layers...>, "x">, output<"y">>;
template <class Loss, class... Layers>
constexpr bool takes = fits<ending_in<Layers...>, Loss>;

struct log_of_shares {
  static constexpr auto at(auto x) {
    const auto e = exp(x);
    return log(e / sum(e));
  }
};
struct log_of_sigmoid {
  static constexpr auto at(auto x) { return -softplus(-x); }
};
struct no_bias_by_hand : equations::symbols {
  static constexpr auto at(auto x) { return W<"own", 4>(x); }
};
struct halved {
  static constexpr auto at(auto x) { return x * 0.5; }
};

using classes = losses::cross_entropy<"y">;
using weighted = losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>>;
using bits = losses::bce_with_logits<"y">;
using likelihood = losses::nll<"y">;
using by_hand = losses::mean_loss_of_classes<criterion::negative_log_likelihood, "y">;

// Logits: all losses but those of log-probabilities.
static_assert(takes<classes, linear<4>> && takes<weighted, linear<4>> && takes<bits, linear<4>>);
static_assert(takes<bits, linear<4>, activation::relu> && takes<classes, linear<4>, activation::tanh>);
static_assert(!takes<likelihood, linear<4>> && !takes<by_hand, linear<4>> &&
              !takes<likelihood, linear<4, no_bias>>);
static_assert(!takes<likelihood, linear<4>, activation::relu> && !takes<likelihood, linear<4>, dropout<0.1>>);
static_assert(!takes<likelihood, no_bias_by_hand>);
// Probabilities: none.
static_assert(!takes<classes, activation::softmax> && !takes<weighted, activation::softmax>);
static_assert(!takes<classes, activation::sigmoid> && !takes<bits, activation::sigmoid>);
static_assert(!takes<bits, activation::softmax> && !takes<bits, activation::sigmoid, dropout<0.1>>);
static_assert(!takes<likelihood, activation::softmax> && !takes<likelihood, activation::sigmoid>);
// Log-probabilities: those losses alone.
static_assert(takes<likelihood, activation::log_softmax> && takes<likelihood, log_of_shares>);
static_assert(takes<likelihood, activation::log_softmax, dropout<0.1>> && takes<by_hand, log_of_shares>);
static_assert(!takes<classes, activation::log_softmax> && !takes<bits, activation::log_softmax>);
// Other losses take anything, and what is not known is not refused.
static_assert(takes<losses::mse<"y">, activation::sigmoid> &&
              takes<losses::multi_margin<"y">, activation::softmax>);
static_assert(takes<likelihood, adaptive_softmax<12, 4>> && takes<likelihood, log_of_sigmoid>);
static_assert(takes<likelihood, halved> && takes<classes, halved> && takes<bits, halved>);
static_assert(takes<likelihood, activation::log_softmax, halved> && takes<bits, activation::sigmoid, halved>);

}  // namespace tenon::test
