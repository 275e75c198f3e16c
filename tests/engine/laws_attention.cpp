// The laws of attention: every score of the library and a user's own, and weights as a separate output.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/linear.hpp"

namespace tenon::test {
using namespace nn;

template <class Layer, int Query, int Key, int T>
using attending = graph<"attention", input<"q", features<Query>>, input<"s", features<Key>, steps<T>>,
                        node<"y", Layer, "q", "s">, output<"y">, output<"y.weights">>;

// Scaled by the size of the query, and less where the state is large.
struct own_score : equations::symbols {
  static constexpr auto score(auto s, auto h) {
    return dot(matrix<"A", 3>(s), matrix<"B", 3>(h)) / sqrt(3 + dot(h, h)) + max(h);
  }
};

// Scores that are the same for all states give equal weights: from the query only, learned, or a number. And a score of the states only.
struct score_of_query : equations::symbols {
  static constexpr auto score(auto q, auto) { return matrix<"v", 1>(tanh(q)); }
};
struct learned_score : equations::symbols {
  static constexpr auto score(auto q, auto) { return sum(0 * q + vector<"b">); }
};
struct score_of_nothing {
  static constexpr auto score(auto, auto) { return 1.0; }
};
struct score_of_states : equations::symbols {
  static constexpr auto score(auto, auto h) { return matrix<"v", 1>(tanh(h)); }
};

TEST_CASE("dot attention") {
  check_laws<attending<attention<score::dot>, 1, 1, 1>>();
  check_laws<attending<attention<score::dot>, 8, 8, 6>>();
}
TEST_CASE("multiplicative attention") { check_laws<attending<attention<score::multiplicative>, 3, 5, 4>>(); }
TEST_CASE("additive attention") { check_laws<attending<attention<score::additive<7>>, 3, 2, 5>>(); }
TEST_CASE("scaled dot attention") {
  check_laws<attending<attention<score::scaled_dot<7>>, 3, 2, 5>>();
  check_laws<graph<"each step", input<"q", features<3>, steps<3, "target">>,
                   input<"s", features<2>, steps<4, "source">>,
                   node<"y", attention<score::scaled_dot<5>>, "q", "s">, output<"y">>>();
}
TEST_CASE("a user's score") { check_laws<attending<attention<own_score>, 4, 3, 4>>(); }
TEST_CASE("a score that is the same for all states") {
  check_laws<attending<attention<score_of_query>, 3, 2, 4>>();
  check_laws<attending<attention<learned_score>, 2, 2, 3>>();
  check_laws<attending<attention<score_of_nothing>, 2, 3, 4>>();
  check_laws<attending<attention<score_of_states>, 2, 3, 4>>();
}
TEST_CASE("weights that another node reads, over two time axes") {
  check_laws<graph<"two axes", input<"q", features<2>>, input<"a", features<2>, steps<4, "source">>,
                   input<"b", features<2>, steps<3, "target">>, node<"y", attention<score::dot>, "q", "a">,
                   node<"z", attention<score::dot>, "y", "b">, node<"w", linear<2>, "z.weights">, output<"z">,
                   output<"w">>>();
}

}  // namespace tenon::test
