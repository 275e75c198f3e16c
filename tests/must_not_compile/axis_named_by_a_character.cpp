// A character where an axis has its name.
// expect(g++): a time axis has a character for its name; write the name in double quotes: steps<20, \"time\">
// expect(clang): a time axis has a
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using length = steps<6, 't'>;
#else
using length = steps<6, "t">;
#endif
using model = graph<"model", input<"x", features<8>, length>, node<"y", gru<3>, "x">, output<"y">>;
static_assert(check<model>());
