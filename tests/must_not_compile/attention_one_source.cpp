// Attention without its states.
// expect(g++): node \'y\': attention takes 2 sources, got 1; name the query, then the states; without a query write attention_over<64>
// expect(clang): "node \'y\': attention takes 2"
// expect(clang): "sources, got 1; name the query,"
// expect(clang): "then the states; without a query"
// expect(clang): "write attention_over<64>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"y", attention<score::dot>, "x">, output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>, input<"states", features<8>, steps<6>>,
                    node<"y", attention<score::dot>, "x", "states">, output<"y">>;
#endif
static_assert(check<model>());
