// Tied parameters of different shapes.
// expect(g++): node \'embedded.weight\': tied parameters differ: 10 rows, got 8 from \'inner.weight\'; tied parameters have one shape
// expect(clang): "node \'embedded.weight\': tied"
// expect(clang): "parameters differ: 10 rows, got 8"
// expect(clang): "from \'inner.weight\'; tied"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using one = tied<"embedded.weight", "inner.weight">;
#else
using one = tied<"embedded.weight", "logits.weight">;
#endif
using model =
    graph<"model", input<"x", token<10>>, node<"embedded", embedding<10, 8>, "x">,
          node<"inner", linear<8>, "embedded">, node<"logits", linear<10>, "inner">, one, output<"logits">>;
static_assert(check<model>());
