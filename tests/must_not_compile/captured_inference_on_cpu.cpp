// Work is captured for a device.
// expect(g++): captured is for work on a device; write on<backend::cuda>, or leave it out
// expect(clang): "captured is for work on a
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
inference<model, batch<32>, captured> run;
#else
inference<model, batch<32>> run;
#endif
