// Attention without a score.
// expect(g++): node \'y\': attention needs a score, and \'linear<3>\' has no static score(auto query, auto state) that compiles; mend it, or write attention<score::dot>
// expect(clang): "node \'y\': attention needs a score,"
// expect(clang): "and \'linear<3>\' has no static"
// expect(clang): "score(auto query, auto state) that"
// expect(clang): "compiles; mend it, or write"
// expect(clang): "attention<score::dot>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using own_score = linear<3>;
#else
using own_score = score::dot;
#endif
using model = graph<"model", input<"x", features<8>>, input<"states", features<8>, steps<6>>,
                    node<"y", attention<own_score>, "x", "states">, output<"y">>;
static_assert(check<model>());
