// A size that no int holds.
// expect(g++): node \'y\': a size is not a whole number, or is above 2147483647; write a size that an int holds
// expect(clang): "node \'y\': a size is not a whole"
// expect(clang): "number, or is above 2147483647;"
// expect(clang): "write a size that an int holds"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = linear<3000000000>;
#else
using layer = linear<3000>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
