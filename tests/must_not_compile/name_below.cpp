// A source that stands below its reader.
// expect(g++): node \'b\': its source \'later\' is declared below it; entries read only entries above them: move it
// expect(clang): "node \'b\': its source \'later\' is"
// expect(clang): "declared below it; entries read"
// expect(clang): "only entries above them: move it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>, node<"b", linear<3>, "later">,
                    node<"later", linear<3>, "x">, output<"b">>;
#else
using model = graph<"model", input<"x", features<8>>, node<"later", linear<3>, "x">,
                    node<"b", linear<3>, "later">, output<"b">>;
#endif
static_assert(check<model>());
