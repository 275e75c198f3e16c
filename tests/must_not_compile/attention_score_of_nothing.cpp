// A score that returns nothing.
// expect(g++): node \'y.score\': the score must return one value; return what it computes, such as dot(query, state)
// expect(clang): "node \'y.score\': the score must"
// expect(clang): "return one value; return what it"
// expect(clang): "computes, such as dot(query,"
// expect(clang): "state)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own_score {
#ifdef MISTAKE
  static constexpr void score(auto query, auto state) { (void)dot(query, state); }
#else
  static constexpr auto score(auto query, auto state) { return dot(query, state); }
#endif
};
using model = graph<"model", input<"q", features<8>>, input<"x", features<8>, steps<6>>,
                    node<"y", attention<own_score>, "q", "x">, output<"y">>;
static_assert(check<model>());
