// Dropout of weights, one for each pair of steps.
// expect(g++): node \'y\': dropout<rate>(x) needs a value of the step, got one of another sequence from \'softmax(...)\'; apply dropout before it, or to the result
// expect(clang): "node \'y\': dropout<rate>(x) needs a"
// expect(clang): "value of the step, got one of"
// expect(clang): "another sequence from"
// expect(clang): "\'softmax(...)\'; apply dropout"
// expect(clang): "before it, or to the result"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct meeting {
  static constexpr auto at(auto query, auto memory) {
#ifdef MISTAKE
    const auto weights = softmax<"source">(dot(query, memory));
    return sum<"source">(dropout<0.5>(weights) * memory);
#else
    const auto weights = softmax<"source">(dot(query, memory));
    return dropout<0.5>(sum<"source">(weights * memory)) + query;
#endif
  }
};
using model = graph<"model", input<"q", features<4>, steps<6, "target">>,
                    input<"m", features<4>, steps<5, "source">>, node<"y", meeting, "q", "m">, output<"y">>;
static_assert(check<model>());
