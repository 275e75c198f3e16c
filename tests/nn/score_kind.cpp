// What the equation of an output tells of its numbers, and which losses accept it.
#include "tenon/nn/score_kind.hpp"

#include "tenon/graph/graph.hpp"
#include "tenon/nn/activation.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/dropout.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

template <class... Layers>
using ending_in =
    graph<"g", input<"x", features<6>>, node<"y", chain<linear<4>, Layers...>, "x">, output<"y">>;
template <class G, class Loss>
inline constexpr bool accepts = !detail::problem_of<G, Loss>::wrong;

struct own_softmax {
  static constexpr auto at(auto x) {
    const auto e = exp(x);
    return e / sum(e);
  }
};
struct own_logarithm {
  static constexpr auto at(auto x) { return log(activation::softmax::at(x)); }
};
struct doubled_sigmoid {
  static constexpr auto at(auto x) { return 2 * sigmoid(x); }
};

using logits = ending_in<dropout<0.5>>;
using unknown = ending_in<activation::tanh>;
using yes_or_no = ending_in<activation::sigmoid, dropout<0.5>>;
using twice = ending_in<doubled_sigmoid>;
using probabilities = ending_in<activation::softmax>;
using own_probabilities = ending_in<own_softmax>;
using log_p = ending_in<activation::log_softmax>;
using own_log_p = ending_in<own_logarithm>;

template <class Loss>
inline constexpr bool accepts_only_logits =
    accepts<logits, Loss>&& accepts<unknown, Loss>&& accepts<twice, Loss> && !accepts<yes_or_no, Loss> &&
    !accepts<probabilities, Loss> && !accepts<own_probabilities, Loss> && !accepts<log_p, Loss> &&
    !accepts<own_log_p, Loss>;
static_assert(accepts_only_logits<losses::cross_entropy<"y">>);
static_assert(accepts_only_logits<losses::cross_entropy<"y", "target", losses::label_smoothing<0.1>>>);
static_assert(accepts_only_logits<losses::bce_with_logits<"y">>);

using nll = losses::nll<"y">;
static_assert(accepts<log_p, nll> && accepts<own_log_p, nll> && accepts<unknown, nll> && accepts<twice, nll>);
static_assert(!accepts<logits, nll> && !accepts<yes_or_no, nll> && !accepts<probabilities, nll> &&
              !accepts<own_probabilities, nll>);

// A loss that does not say what it expects accepts all.
static_assert(accepts<probabilities, losses::mse<"y">> && accepts<logits, losses::mse<"y">>);
static_assert(accepts<probabilities, losses::multi_margin<"y">>);

TEST_CASE("what a loss accepts is decided when it compiles") { CHECK(accepts<log_p, nll>); }

}  // namespace tenon::test
