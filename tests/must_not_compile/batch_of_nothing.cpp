// No rows at once.
// expect(g++): batch<0> has no rows; write how many rows run at once, at most
// expect(clang): "batch<0> has no rows; write how"
// expect(clang): "many rows run at once, at most
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">,
                    output<"states">>;

#ifdef MISTAKE
inference<model, batch<0>> run;
#else
inference<model, batch<1>> run;
#endif
