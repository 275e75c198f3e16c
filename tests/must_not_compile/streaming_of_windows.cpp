// A convolution, step by step.
// expect(g++): node \'y\': streaming runs step by step, and a window reads several; use inference
// expect(clang): "node \'y\': streaming runs step by"
// expect(clang): "step, and a window reads several;"
// expect(clang): "use inference"
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
using layer = conv1d<8, 3, is_causal>;
#else
using layer = linear<8>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", layer, "x">, output<"y">>;
streaming<model> run;
