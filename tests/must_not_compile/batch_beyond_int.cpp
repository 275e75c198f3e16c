// More rows at once than an int counts the numbers of.
// expect(g++): a step of all rows is more numbers than an int counts: batch takes at most 268435455 rows, got 1000000000; write a smaller batch
// expect(clang): "a step of all rows is more numbers"
// expect(clang): "than an int counts: batch takes at"
// expect(clang): "most 268435455 rows, got"
// expect(clang): "1000000000; write a smaller batch"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;

#ifdef MISTAKE
inference<model, batch<1000000000>> run;
#else
inference<model, batch<1000>> run;
#endif
