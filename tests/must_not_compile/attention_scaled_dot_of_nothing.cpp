// Scaled dot attention with projections to no features.
// expect(g++): node \'y.score\': the size of \'W\' is open; write the rows down, W<\"gate\", rows>(x), or use it beside a known size
// expect(clang): "node \'y.score\': the size of \'W\' is"
// expect(clang): "open; write the rows down,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
constexpr int features_compared = 0;
#else
constexpr int features_compared = 8;
#endif
using model = graph<"model", input<"q", features<4>>, input<"x", features<6>, steps<6>>,
                    node<"y", attention<score::scaled_dot<features_compared>>, "q", "x">, output<"y">>;
static_assert(check<model>());
