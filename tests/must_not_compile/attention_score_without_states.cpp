// A score that the states have no part in: it would be the same at every step.
// expect(g++): node \'y.score\': what comes out is the same at every step: the equation does not read the sequence from \'states\'; use its values, or give the equation sources without a time axis alone
// expect(clang): "node \'y.score\': what comes out is"
// expect(clang): "the same at every step: the"
// expect(clang): "equation does not read the"
// expect(clang): "sequence from \'states\'; use its"
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
