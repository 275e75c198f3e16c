// A tie to a parameter that does not exist.
// expect(g++): tie: no parameter is named \'logits.table\'; did you mean \'logits.bias\'?
// expect(clang): "tie: no parameter is named"
// expect(clang): "\'logits.table\'; did you mean"
// expect(clang): "\'logits.bias\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;

#ifdef MISTAKE
using tied = tie<"embedded.weight", "logits.table">;
#else
using tied = tie<"embedded.weight", "logits.weight">;
#endif
using model =
    graph<"model", input<"x", token<10>>, node<"embedded", embedding<10, 8>, "x">,
          node<"inner", linear<8>, "embedded">, node<"logits", linear<10>, "inner">, tied, output<"logits">>;
static_assert(check<model>());
