// The laws of equations over two axes: each step of one sequence sees all of another.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/linear.hpp"

namespace tenon::test {
using namespace nn;

template <class Layer, int Query = 3, int Memory = 3, int T = 4, int S = 3>
using crossing =
    graph<"crossing", input<"q", features<Query>, steps<T, "target">>,
          input<"m", features<Memory>, steps<S, "source">>, node<"y", Layer, "q", "m">, output<"y">>;
template <class Layer, int Features = 3, int T = 4>
using meeting_itself =
    graph<"meeting itself", input<"x", features<Features>, steps<T>>, node<"y", Layer, "x">, output<"y">>;

struct scaled_dot : equations::symbols {
  static constexpr auto at(auto query, auto memory) {
    const auto q = W<"q", 3>(query), k = W<"k", 3>(memory), v = W<"v", 2>(memory);
    return W<"o", 3>(sum<"source">(softmax<"source">(dot(q, k) * 0.5) * v)) + query;
  }
};
struct causal : equations::symbols {
  static constexpr auto at(auto x) {
    const auto all = as_axis<"source">(x);
    const auto score = dot(W<"q", 2>(x), W<"k", 2>(all));
    const auto earlier =
        equal(max(position_of<"source">(all), position_of<"time">(x)), position_of<"time">(x));
    return sum<"source">(softmax<"source">(select(earlier, score, -1e9)) * tanh(all));
  }
};
// Each step sees those at least two before it: the first two see none.
struct distant : equations::symbols {
  static constexpr auto at(auto x) {
    const auto all = as_axis<"source">(x);
    const auto distance = position_of<"time">(x) - position_of<"source">(all);
    const auto score = masked(dot(W<"q", 2>(x), W<"k", 2>(all)), greater(2, distance));
    return sum<"source">(softmax<"source">(score) * tanh(all)) + x;
  }
};
// The mean and the maximum over all pairs of a function that is no product, a sum over the steps of the loop itself, and
// values that are the same for all pairs.
struct pairs : equations::symbols {
  static constexpr auto at(auto a, auto b) {
    const auto pair = tanh(W<"a", 2>(a) + W<"b", 2>(b) + vector<"c">);
    const auto total = sum<"source">(sum<"target">(pair));
    return max<"source">(pair * W<"p", 2>(pair)) + mean<"source">(pair) * a + W<"t", 2>(total);
  }
};
// For each step of the second sequence, the sum over all steps of the first.
struct received : equations::symbols {
  static constexpr auto at(auto a, auto b) { return W<"y", 3>(sum<"target">(tanh(a * b))); }
};
struct shifted_pairs {
  static constexpr auto at(auto a, auto b) {
    const auto near = shift<1, "source">(a * b) - reversed<"source">(a - b);
    return sum<"source">(near * (1 + log_softmax<"source">(dot(a, b))));
  }
};

struct in_two_passes {  // combines the results of all steps, and looks them up in the memory again
  static constexpr auto at(auto q, auto m) {
    const auto total = sum<"target">(sum<"source">(softmax<"source">(dot(q, m)) * m));
    return sum<"source">(m * dot(total, m)) + q;
  }
};

TEST_CASE("a sequence over a sequence") {
  check_laws<crossing<attention<score::dot>>>();
  check_laws<crossing<attention<score::additive<5>>, 2, 3, 3, 5>>();
  check_laws<crossing<scaled_dot, 3, 5, 2, 4>>();
  check_laws<crossing<scaled_dot, 3, 1, 1, 1>>();
}
struct score_of_queries : equations::symbols {
  static constexpr auto score(auto q, auto) { return matrix<"v", 1>(tanh(q)); }
};
struct score_of_states : equations::symbols {
  static constexpr auto score(auto, auto h) { return matrix<"v", 1>(tanh(h)); }
};
struct score_of_nothing {
  static constexpr auto score(auto, auto) { return 1; }
};
TEST_CASE("scores that are the same along an axis, or both") {
  check_laws<crossing<attention<score_of_queries>, 2, 3, 3, 4>>();
  check_laws<crossing<attention<score_of_states>, 2, 3, 3, 4>>();
  check_laws<crossing<attention<score_of_nothing>, 2, 3, 3, 4>>();
}
TEST_CASE("a sequence over itself") {
  check_laws<meeting_itself<causal>>();
  check_laws<meeting_itself<distant>>();
  check_laws<graph<"twice", input<"x", features<3>, steps<4>>, node<"y", attention<score::dot>, "x", "x">,
                   output<"y">>>();
}
TEST_CASE("sums over either axis") {
  check_laws<crossing<pairs, 2, 3, 3, 4>>();
  check_laws<crossing<received>>();
  check_laws<crossing<shifted_pairs>>();
  check_laws<crossing<in_two_passes>>();
}

}  // namespace tenon::test
