// A linear layer that asserts another width than the one that reaches it.
// expect(g++): node \'logits\': linear expects 64 features, got 128 from \'embedded\'; write features<128>, or mend \'embedded\'
// expect(clang): "node \'logits\': linear expects 64"
// expect(clang): "features, got 128 from \'embedded\';"
// expect(clang): "write features<128>, or mend"
// expect(clang): "\'embedded\'"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using logits = linear<10, features<64>>;
#else
using logits = linear<10, features<128>>;
#endif
using model =
    graph<"model", input<"tokens", token<10>, steps<6>>, node<"embedded", embedding<10, 128>, "tokens">,
          node<"logits", logits, "embedded">, output<"logits">>;
static_assert(check<model>());
