// Streaming of attention in which each step sees those that come later.
// expect(g++): node \'y\': streaming runs step by step, and a softmax over the axis \'time\' reads all steps; hide later steps (is_causal), or use inference
// expect(clang): "node \'y\': streaming runs step by"
// expect(clang): "step, and a softmax over the axis"
// expect(clang): "\'time\' reads all steps; hide later"
// expect(clang): "steps (is_causal), or use"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using heads = multi_head<8, 2>;
#else
using heads = multi_head<8, 2, is_causal>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", heads, "x">, output<"y">>;
streaming<model> run;
