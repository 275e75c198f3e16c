// Streaming of a mean over all steps.
// expect(g++): node \'y\': streaming runs step by step, and a sum over the axis \'time\' reads all steps; use inference
// expect(clang): "node \'y\': streaming runs step by"
// expect(clang): "step, and a sum over the axis"
// expect(clang): "\'time\' reads all steps; use"
// expect(clang): "inference"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<4>, steps<6>>, node<"y", mean_over<"time">, "x">, output<"y">>;

#ifdef MISTAKE
streaming<model> run;
#else
inference<model> run;
#endif
