// The laws of equations that see the steps around each: products with windows, steps earlier and later.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/pooling.hpp"

namespace tenon::test {
using namespace nn;

template <class Layer, int Query, int In, int T>
using beside_a_row = graph<"beside a row", input<"q", features<Query>>, input<"x", features<In>, steps<T>>,
                           node<"y", Layer, "q", "x">, output<"y">, output<"y.weights">>;

// What changed since the step before, and what comes next.
struct differences : equations::symbols {
  static constexpr auto at(auto q, auto x) {
    return with<"weights">(q * (x - shift<1, "time">(x)), tanh(W<"", 3>(shift<-1, "time">(x))));
  }
};

// Each step beside the step at the same distance from the end, as two networks see that read from either side.
struct mirrored {
  static constexpr auto at(auto q, auto x) {
    return with<"weights">(q * max<"time">(reversed<"time">(x)), x * reversed<"time">(tanh(x)));
  }
};

template <int Out, int N, int Dilation = 1>
struct of_window : equations::symbols {
  static constexpr auto at(auto x) { return W<"", Out>(window<N, "time", Dilation>(x)) + b<>; }
};
TEST_CASE("products with the steps around each") {
  check_laws<over_time<of_window<3, 3>, 2, 5>>();
  check_laws<over_time<of_window<2, 4, 2>, 3, 6>>();
  check_laws<over_time<of_window<1, 5>, 1, 1>>();
}
TEST_CASE("steps earlier and later") { check_laws<beside_a_row<differences, 3, 3, 4>>(); }
TEST_CASE("steps from either side") { check_laws<beside_a_row<mirrored, 3, 3, 4>>(); }
// Steps near the end count more; the last step, and its distance from the first.
struct recent {
  static constexpr auto at(auto q, auto x) {
    const auto near = x / (1 + length_of<"time">(x) - position_of<"time">(x));
    return with<"weights">(sum<"time">(near) * q, x - first<"time">(x) + last<"time">(tanh(x)));
  }
};
TEST_CASE("positions, the first step and the last") { check_laws<beside_a_row<recent, 3, 3, 4>>(); }
TEST_CASE("a classifier of sequences by their windows") {
  check_laws<graph<"text", input<"x", features<3>, steps<5>>, node<"c", of_window<4, 3>, "x">,
                   node<"m", max_over<>, "c">, node<"y", linear<2>, "m">, output<"y">>>();
}
}  // namespace tenon::test
