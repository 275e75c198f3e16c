// Attention without a score.
// expect(g++): node \'y\': attention needs a score; write attention<score::dot>, or a struct with score(auto query, auto state)
// expect(clang): "node \'y\': attention needs a score;"
// expect(clang): "write attention<score::dot>, or a"
// expect(clang): "struct with score(auto query, auto"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

#ifdef MISTAKE
using own_score = linear<3>;
#else
using own_score = score::dot;
#endif
using model = graph<"model", input<"x", features<8>>, input<"states", features<8>, steps<6>>,
                    node<"y", attention<own_score>, "x", "states">, output<"y">>;
static_assert(check<model>());
