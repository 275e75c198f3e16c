// The second source of a chain is meant for its second layer.
// expect(g++): node \'decoder.0\': embedding takes 1 source, got 2; all sources of a chain go to its first layer; give the layer that takes them a node
// expect(clang): "node \'decoder.0\': embedding takes"
// expect(clang): "1 source, got 2; all sources of a"
// expect(clang): "chain go to its first layer; give"
// expect(clang): "the layer that takes them a node"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"before", token<9>, steps<5>>, input<"h0", features<4>>,
                    node<"decoder", chain<embedding<9, 3>, gru<4>>, "before", "h0">, output<"decoder">>;
#else
using model = graph<"model", input<"before", token<9>, steps<5>>, input<"h0", features<4>>,
                    node<"words", embedding<9, 3>, "before">, node<"decoder", gru<4>, "words", "h0">, output<"decoder">>;
#endif
static_assert(check<model>());
