// A misspelt source inside a nested graph: the suggestion is what may stand there.
// expect(g++): node \'first.hidden\': no entry above is named \'rows\'; did you mean \'row\'?
// expect(clang): "node \'first.hidden\': no entry"
// expect(clang): "above is named \'rows\'; did you"
// expect(clang): "mean \'row\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using hidden_row = node<"hidden", linear<4>, "rows">;
#else
using hidden_row = node<"hidden", linear<4>, "row">;
#endif
using encoder = graph<"encoder", input<"row", features<8>>, hidden_row, output<"hidden">>;
using model =
    graph<"model", input<"rows_of_x", features<8>>, node<"first", encoder, "rows_of_x">, output<"first">>;
static_assert(check<model>());
