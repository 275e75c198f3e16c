// The laws of equations over an axis: reductions, a softmax of several features, results of rows and of steps in one
// equation, sources with and without the axis.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/pooling.hpp"

namespace tenon::test {
using namespace nn;

// Squeeze and excitation along time (Hu, Shen and Sun 2018): a gate for each feature from the mean over all steps.
struct squeeze_and_excite : equations::symbols {
  static constexpr auto at(auto x) {
    return x * sigmoid(W<"gate">(relu(W<"squeeze", 3>(mean<"time">(x)))) + b<"gate">);
  }
};
// Standardised along the steps (a norm over time), learned gain and bias.
struct norm_over_time : equations::symbols {
  static constexpr auto at(auto x) {
    const auto centred = x - mean<"time">(x);
    const auto variance = mean<"time">(square(centred));
    return centred / sqrt(variance + 1e-2) * vector<"gain"> + vector<"bias">;
  }
};
// Between the mean and the maximum of each feature over the steps.
struct soft_maximum {
  static constexpr auto at(auto x) { return 0.5 * log_sum_exp<"time">(2 * x); }
};
// One attention for each feature: each feature weighs the steps separately.
struct softmax_of_each_feature : equations::symbols {
  static constexpr auto at(auto q, auto x) {
    const auto weights = softmax<"time">(q * W<>(x));
    return with<"weights">(sum<"time">(weights * x), weights);
  }
};

template <class Layer, int Query, int In, int T>
using beside_a_row = graph<"beside a row", input<"q", features<Query>>, input<"x", features<In>, steps<T>>,
                           node<"y", Layer, "q", "x">, output<"y">, output<"y.weights">>;

TEST_CASE("sums over time") {
  check_laws<over_time<sum_over<>, 1, 1>>();
  check_laws<over_time<sum_over<>, 7, 5>>();
}
TEST_CASE("means over time") { check_laws<over_time<mean_over<>, 5, 4>>(); }
TEST_CASE("maxima over time") { check_laws<over_time<max_over<>, 5, 4>>(); }
TEST_CASE("soft maxima over time") { check_laws<over_time<soft_maximum, 5, 4>>(); }
TEST_CASE("a gate from the mean over time") { check_laws<over_time<squeeze_and_excite, 4, 5>>(); }
TEST_CASE("a norm over time") { check_laws<over_time<norm_over_time, 3, 4>>({.absolute = 1e-4}); }
TEST_CASE("a softmax of each feature, and its weights") {
  check_laws<beside_a_row<softmax_of_each_feature, 5, 5, 4>>();
}
TEST_CASE("pooled states behind and before linear maps") {
  check_laws<graph<"pooled", input<"x", features<3>, steps<4>>, node<"h", linear<5>, "x">,
                   node<"m", mean_over<>, "h">, node<"y", linear<2>, "m">, output<"y">, output<"h">>>();
}

}  // namespace tenon::test
