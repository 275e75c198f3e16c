// A bound for a misspelt time axis.
// expect(g++): the graph has no time axis \'tmie\' for an option to bound; did you mean \'time\'?
// expect(clang): "the graph has no time axis \'tmie\'"
// expect(clang): "for an option to bound; did you"
// expect(clang): "mean \'time\'?
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;

#ifdef MISTAKE
inference<model, steps<4, "tmie">> run;
#else
inference<model, steps<4, "time">> run;
#endif
