// A layer where a cell is needed.
// expect(g++): node \'y\': recurrent needs a cell, and \'linear<4>\' has no static step(auto x, auto h) that compiles; mend it, or name a cell such as cells::lstm
// expect(clang): "node \'y\': recurrent needs a cell,"
// expect(clang): "and \'linear<4>\' has no static"
// expect(clang): "step(auto x, auto h) that"
// expect(clang): "compiles; mend it, or name a cell"
// expect(clang): "such as cells::lstm"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = recurrent<linear<4>, hidden<4>>;
#else
using layer = recurrent<cells::gru, hidden<4>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
