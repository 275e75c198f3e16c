// A source whose name is longer than any name can be.
// expect(g++): node \'y\': no entry above is named \'the_embedded_digits_of_the_sequence_in_the_order_in_which_they_were_given\'; declare sources above the nodes that use them
// expect(clang): "node \'y\': no entry above is named"
// expect(clang): "\'the_embedded_digits_of_the_sequen"
// expect(clang): "ce_in_the_order_in_which_they_were"
// expect(clang): "_given\'; declare sources above the"
// expect(clang): "nodes that use them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
inline constexpr tenon::ir::text source = "the_embedded_digits_of_the_sequence_in_the_order_in_which_they_were_given";
#else
inline constexpr tenon::ir::text source = "x";
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, source>, output<"y">>;
static_assert(check<model>());
