// Tied to a parameter that does not exist.
// expect(g++): tied: no parameter is named \'logits.table\'; did you mean \'logits.bias\'?
// expect(clang): "tied: no parameter is named"
// expect(clang): "\'logits.table\'; did you mean"
// expect(clang): "\'logits.bias\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using one = tied<"embedded.weight", "logits.table">;
#else
using one = tied<"embedded.weight", "logits.weight">;
#endif
using model =
    graph<"model", input<"x", token<10>>, node<"embedded", embedding<10, 8>, "x">,
          node<"inner", linear<8>, "embedded">, node<"logits", linear<10>, "inner">, one, output<"logits">>;
static_assert(check<model>());
