// Streaming of a layer that runs in both directions.
// expect(g++): node \'states\': streaming runs step by step, and a reverse direction starts at the end; run the layer forward only, or use inference
// expect(clang): "node \'states\': streaming runs step"
// expect(clang): "by step, and a reverse direction"
// expect(clang): "starts at the end; run the layer"
// expect(clang): "forward only, or use inference
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;


#ifdef MISTAKE
using layer = gru<4, bidirectional>;
#else
using layer = gru<4>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", layer, "x">, output<"states">>;
streaming<model> live;
