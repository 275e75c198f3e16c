// A score that is the same for all states.
// expect(g++): node \'y.score\': the score is the same at every step: it does not read the state from \'s\'; use both arguments: score(query, state)
// expect(clang): "node \'y.score\': the score is the"
// expect(clang): "same at every step: it does not"
// expect(clang): "read the state from \'s\'; use both"
// expect(clang): "arguments: score(query, state)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
struct own {
  static constexpr auto score(auto query, auto state) { return (void)state, sum(query); }
};
#else
struct own {
  static constexpr auto score(auto query, auto state) { return dot(query, state); }
};
#endif
using model = graph<"model", input<"q", features<8>>, input<"s", features<8>, steps<6>>,
                    node<"y", attention<own>, "q", "s">, output<"y">>;
static_assert(check<model>());
