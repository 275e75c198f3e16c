// The laws of layers that are equations: activations, softmaxes, a layer norm, a gate of two inputs.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/activation.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/linear.hpp"

namespace tenon::test {
using namespace nn;

struct every_function : equations::symbols {
  static constexpr auto at(auto x) {
    auto y = matrix<"M", 5>(x) + vector<"c">;
    return sigmoid(y) + tanh(y) * softplus(y) - gelu(y) / (exp(-y) + 2) +
           sqrt(square(y) + 1) * log(abs(y) + 1) + erf(0.5 * y);
  }
};
struct layer_norm : equations::symbols {
  static constexpr auto at(auto x) {
    auto centred = x - mean(x);
    return centred / sqrt(mean(square(centred)) + 1e-5) * vector<"weight"> + vector<"bias">;
  }
};
// A highway gate: how much of each input passes depends on both. One input is the same at every step.
struct gate : equations::symbols {
  static constexpr auto at(auto x, auto y) {
    auto g = sigmoid(matrix<"A">(x) + matrix<"B", 3>(y) + vector<"b">);
    return g * x + (1 - g) * concat(slice<0, 1>(y), slice<1, 2>(y));
  }
};

// Two sequences, a product, and a gain whose gradient is a sum over all steps.
struct gained_sum : equations::symbols {
  static constexpr auto at(auto x, auto z) { return vector<"s"> * tanh(matrix<"W", 3>(x) + vector<"b"> + z); }
};
struct logarithm_of_sum : equations::symbols {
  static constexpr auto at(auto x, auto z) { return log(abs(matrix<"W", 3>(x) + z)); }
};
struct gated_by_row : equations::symbols {
  static constexpr auto at(auto x, auto y, auto q) {
    auto a = tanh(matrix<"A", 3>(x) + y + vector<"a">);
    auto c = sigmoid(matrix<"C", 3>(a) + y + vector<"c"> + q);
    return a * c * vector<"g"> * q;
  }
};

TEST_CASE("functions of each element") {
  check_laws<single<every_function, 3>>();
  check_laws<over_time<every_function, 1>>();
}
TEST_CASE("functions over the features") {
  check_laws<single<activation::softmax, 9>>();
  check_laws<over_time<activation::log_softmax, 5>>();
  check_laws<over_time<layer_norm, 7>>({1e-4, 1e-3});
}
TEST_CASE("an equation of a sequence and one row") {
  check_laws<graph<"gate", input<"x", features<3>, steps<5>>, input<"y", features<3>>,
                   node<"g", gate, "x", "y">, output<"g">>>();
}

TEST_CASE("equations of two sequences with a product") {
  check_laws<graph<"gained", input<"x", features<3>, steps<4>>, node<"z", linear<3>, "x">,
                   node<"y", gained_sum, "x", "z">, output<"y">>>();
  check_laws<graph<"logarithm", input<"x", features<3>, steps<4>>, input<"z", features<3>, steps<4>>,
                   node<"y", logarithm_of_sum, "x", "z">, output<"y">>>();
  check_laws<
      graph<"gated", input<"x", features<3>, steps<4>>, input<"q0", features<3>>, node<"q", linear<3>, "q0">,
            node<"z", linear<3>, "x">, node<"u", gated_by_row, "x", "z", "q">,
            node<"y", gated_by_row, "z", "u", "q">, output<"y">, output<"u">>>({2e-5, 2e-4});
}

}  // namespace tenon::test
