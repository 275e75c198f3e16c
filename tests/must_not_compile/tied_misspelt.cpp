// Tied to a misspelt parameter.
// expect(g++): tied: no parameter is named \'embedded.weigth\'; did you mean \'embedded.weight\'?
// expect(clang): "tied: no parameter is named"
// expect(clang): "\'embedded.weigth\'; did you mean"
// expect(clang): "\'embedded.weight\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using one = tied<"embedded.weigth", "logits.weight">;
#else
using one = tied<"embedded.weight", "logits.weight">;
#endif
using model = graph<"model", input<"x", token<10>>, node<"embedded", embedding<10, 8>, "x">,
                    node<"logits", linear<10>, "embedded">, one, output<"logits">>;
static_assert(check<model>());
