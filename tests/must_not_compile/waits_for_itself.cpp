// What each step sees is known when all steps are done.
// expect(g++): node \'y\': each step needs a value known before the steps run, got one known after them from \'sum(...)\'; compute it in another node
// expect(clang): "node \'y\': each step needs a value"
// expect(clang): "known before the steps run, got"
// expect(clang): "one known after them from"
// expect(clang): "\'sum(...)\'; compute it in another"
// expect(clang): "node"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;

struct meeting {
  static constexpr auto at(auto query, auto memory) {
    const auto found = sum<"source">(softmax<"source">(dot(query, memory)) * memory);
#ifdef MISTAKE
    return sum<"source">(softmax<"source">(dot(sum<"target">(found), memory) + dot(query, memory)) * memory);
#else
    return found + sum<"target">(found);
#endif
  }
};
using model = graph<"model", input<"q", features<4>, steps<6, "target">>,
                    input<"m", features<4>, steps<5, "source">>, node<"y", meeting, "q", "m">, output<"y">>;
static_assert(check<model>());
