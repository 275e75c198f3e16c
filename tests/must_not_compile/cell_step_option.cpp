// A single step is of one layer.
// expect(g++): node \'y\': cell_step has no option \'layers<2>\'; its options: hidden<n>, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': cell_step has no option"
// expect(clang): "\'layers<2>\'; its options:"
// expect(clang): "hidden<n>, initialized<\"name\","
// expect(clang): "start>, frozen,"
// expect(clang): "frozen_parameters<\"name\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = cell_step<cells::gru, hidden<8>, layers<2>>;
#else
using layer = cell_step<cells::gru, hidden<8>, frozen>;
#endif
using model =
    graph<"model", input<"x", features<8>>, input<"h", features<8>>, node<"y", layer, "x", "h">, output<"y">>;
static_assert(check<model>());
