// Fewer learned places than the sequence may have steps: the last steps would have none.
// expect(g++): node \'y\': learned_positions expects 12 places or more, one for each step of \'x\', got 10; write learned_positions<12>
// expect(clang): "node \'y\': learned_positions
#include <tenon/graph/graph.hpp>
#include <tenon/nn/position.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
constexpr int places = 10;
#else
constexpr int places = 12;
#endif
using model = graph<"model", input<"x", features<8>, steps<12>>, node<"y", learned_positions<places>, "x">, output<"y">>;
static_assert(check<model>());
