// A score that the states have no part in: it would be the same at every step.
// expect(g++): node \'y.score\': the score is the same at every step: it does not read the state from \'states\'; use both arguments: score(query, state)
// expect(clang): "node \'y.score\': the score is the"
// expect(clang): "same at every step: it does not"
// expect(clang): "read the state from \'states\'; use"
// expect(clang): "both arguments: score(query,"
// expect(clang): "state)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

struct own_score {
#ifdef MISTAKE
  static constexpr auto score(auto s, auto) { return sum(tanh(s)); }
#else
  static constexpr auto score(auto s, auto h) { return sum(tanh(s + h)); }
#endif
};
using model = graph<"model", input<"x", features<8>>, input<"states", features<8>, steps<6>>,
                    node<"y", attention<own_score>, "x", "states">, output<"y">>;
static_assert(check<model>());
