// A result with a row for each pair of steps.
// expect(g++): node \'y\': a result has a row for each pair of steps from \'softmax(...)\'; reduce it over one of their axes: sum, mean or max; or keep it, as_features
// expect(clang): "node \'y\': a result has a row for"
// expect(clang): "each pair of steps from"
// expect(clang): "\'softmax(...)\'; reduce it over one"
// expect(clang): "of their axes: sum, mean or max;"
// expect(clang): "or keep it, as_features"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

struct meeting {
  static constexpr auto at(auto query, auto memory) {
    const auto weights = softmax<"source">(dot(query, memory));
#ifdef MISTAKE
    return with<"weights">(sum<"source">(weights * memory), weights);
#else
    return with<"highest">(sum<"source">(weights * memory), max<"source">(weights));
#endif
  }
};
using model = graph<"model", input<"q", features<4>, steps<6, "target">>,
                    input<"m", features<4>, steps<5, "source">>, node<"y", meeting, "q", "m">, output<"y">>;
static_assert(check<model>());
