// Streaming of windows that are fewer than the steps.
// expect(g++): node \'y\': streaming runs step by step, and there is no window for each step; write is_causal and no stride, or use inference
// expect(clang): "node \'y\': streaming runs step by"
// expect(clang): "step, and there is no window for"
// expect(clang): "each step; write is_causal and no"
// expect(clang): "stride, or use inference"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = conv1d<8, 3, is_causal, stride<2>>;
#else
using layer = conv1d<8, 3, is_causal, dilation<2>>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
streaming<model> run;
