// Too few features for the last cluster.
// expect(g++): its last would have none: 16 features, got 15 from \'x\'; widen its source, or write fewer cutoffs
// expect(clang): "of the one before, and its last"
// expect(clang): "would have none: 16 features, got"
// expect(clang): "15 from \'x\'; widen its source, or"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/adaptive_softmax.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
constexpr int width = 15;
#else
constexpr int width = 16;
#endif
using model =
    graph<"model", input<"x", features<width>>, node<"y", adaptive_softmax<100, 20, 40>, "x">, output<"y">>;
static_assert(check<model>());
