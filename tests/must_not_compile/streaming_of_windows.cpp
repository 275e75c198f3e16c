// A convolution around each step, step by step.
// expect(g++): node \'y\': streaming runs step by step, and a window reaches to later steps; write is_causal and no stride, or use inference
// expect(clang): "node \'y\': streaming runs step by"
// expect(clang): "step, and a window reaches to"
// expect(clang): "later steps; write is_causal and"
// expect(clang): "no stride, or use inference"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, same_padding>;
#else
using layer = conv1d<8, 3, is_causal>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
streaming<model> run;
