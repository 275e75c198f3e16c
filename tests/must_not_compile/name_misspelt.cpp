// A source whose name is misspelt.
// expect(g++): node \'logits\': no entry above is named \'embeded\'; did you mean \'embedded\'?
// expect(clang): "node \'logits\': no entry above is"
// expect(clang): "named \'embeded\'; did you mean"
// expect(clang): "\'embedded\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model =
    graph<"model", input<"tokens", token<10>, steps<6>>, node<"embedded", embedding<10, 128>, "tokens">,
          node<"logits", linear<3>, "embeded">, output<"logits">>;
#else
using model =
    graph<"model", input<"tokens", token<10>, steps<6>>, node<"embedded", embedding<10, 128>, "tokens">,
          node<"logits", linear<3>, "embedded">, output<"logits">>;
#endif
static_assert(check<model>());
