// An image with more places than an int counts.
// expect(g++): node \'x\': grid<height, width> has more places than 2147483647; write smaller sizes
// expect(clang): "node \'x\': grid<height, width> has"
// expect(clang): "more places than 2147483647; write"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using pixels = grid<100000, 100000>;
#else
using pixels = grid<100, 100>;
#endif
using model = graph<"model", input<"x", features<1>, pixels>, node<"y", flatten, "x">, output<"y">>;
static_assert(check<model>());
