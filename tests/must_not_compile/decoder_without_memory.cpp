// A decoder that is given nothing to attend to.
// expect(g++): node \'y\': transformer_decoder takes 2 sources, got 1; name the targets, then the memory
// expect(clang): "node \'y\': transformer_decoder"
// expect(clang): "takes 2 sources, got 1; name the"
// expect(clang): "targets, then the memory"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/transformer.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using block = node<"y", transformer_decoder<8, 2, 12>, "x">;
#else
using block = node<"y", transformer_decoder<8, 2, 12>, "x", "x">;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, block, output<"y">>;
static_assert(check<model>());
