// More time axes than a graph has room for.
// expect(g++): node \'i\': the graph has more than 8 time axes; raise builder::large in tenon/graph/builder.hpp
// expect(clang): "node \'i\': the graph has more than"
// expect(clang): "8 time axes; raise builder::large"
#include <tenon/graph/graph.hpp>

using namespace tenon;

using x = features<2>;
#ifdef MISTAKE
using last = steps<3, "i">;
#else
using last = steps<3, "h">;
#endif
using model = graph<"model", input<"a", x, steps<3, "a">>, input<"b", x, steps<3, "b">>,
                    input<"c", x, steps<3, "c">>, input<"d", x, steps<3, "d">>, input<"e", x, steps<3, "e">>,
                    input<"f", x, steps<3, "f">>, input<"g", x, steps<3, "g">>, input<"h", x, steps<3, "h">>,
                    input<"i", x, last>, output<"a">, output<"b">, output<"c">, output<"d">, output<"e">,
                    output<"f">, output<"g">, output<"h">, output<"i">>;
static_assert(check<model>());
