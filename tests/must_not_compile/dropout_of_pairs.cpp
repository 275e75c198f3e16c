// Dropout of weights, one for each pair of steps.
// expect(g++): node \'y\': dropout<rate>(x) of what each step sees of another sequence from \'softmax(...)\'; drop parts of it before, or of what comes out
// expect(clang): "node \'y\': dropout<rate>(x) of what"
// expect(clang): "each step sees of another sequence"
// expect(clang): "from \'softmax(...)\'; drop parts of"
// expect(clang): "it before, or of what comes out"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;

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
