// Streaming of a graph with attention.
// expect(g++): node \'context\': streaming runs step by step, and a softmax over the axis \'time\' reads all steps; use inference
// expect(clang): "node \'context\': streaming runs"
// expect(clang): "step by step, and a softmax over"
// expect(clang): "the axis \'time\' reads all steps;"
// expect(clang): "use inference"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"query", features<8>>, input<"states", features<8>, steps<6>>,
                    node<"context", attention<score::dot>, "query", "states">, output<"context">>;

#ifdef MISTAKE
streaming<model> run;
#else
inference<model> run;
#endif
