// A score of two numbers for each state.
// expect(g++): node \'y.score\': the score must have 1 feature, got 2; a result has the size it is used with
// expect(clang): "node \'y.score\': the score must"
// expect(clang): "have 1 feature, got 2; a result"
// expect(clang): "has the size it is used with"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own_score : equations::symbols {
#ifdef MISTAKE
  static constexpr auto score(auto s, auto h) { return matrix<"A", 2>(s * h); }
#else
  static constexpr auto score(auto s, auto h) { return matrix<"A", 1>(s * h); }
#endif
};
using model = graph<"model", input<"q", features<4>>, input<"x", features<4>, steps<6>>,
                    node<"y", attention<own_score>, "q", "x">, output<"y">>;
static_assert(check<model>());
