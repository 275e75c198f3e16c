// Heads that do not divide the features.
// expect(g++): node \'y\': multi_head<features, heads> needs positive sizes, and whole features for each head; write multi_head<64, 4>
// expect(clang): "node \'y\': multi_head<features,"
// expect(clang): "heads> needs positive sizes, and"
// expect(clang): "whole features for each head;"
// expect(clang): "write multi_head<64, 4>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/multi_head.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = multi_head<8, 3>;
#else
using layer = multi_head<8, 4>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
