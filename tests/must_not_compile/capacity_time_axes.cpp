// More time axes than a graph has room for: windows make one more.
// expect(g++): node \'y\': the graph has more than 16 time axes; compile all files with -DTENON_ROOM_OF_GRAPHS=2
// expect(clang): "node \'y\': the graph has more than"
// expect(clang): "16 time axes; compile all files"
// expect(clang): "with -DTENON_ROOM_OF_GRAPHS=2"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/unfold.hpp>

using namespace tenon;
using namespace tenon::nn;

using x = features<2>;
#ifdef MISTAKE
using windows = unfold<2>;
#else
using windows = unfold<2, same_padding>;
#endif
using model =
    graph<"model", input<"a", x, steps<3, "a">>, input<"b", x, steps<3, "b">>, input<"c", x, steps<3, "c">>,
          input<"d", x, steps<3, "d">>, input<"e", x, steps<3, "e">>, input<"f", x, steps<3, "f">>,
          input<"g", x, steps<3, "g">>, input<"h", x, steps<3, "h">>, input<"i", x, steps<3, "i">>,
          input<"j", x, steps<3, "j">>, input<"k", x, steps<3, "k">>, input<"l", x, steps<3, "l">>,
          input<"m", x, steps<3, "m">>, input<"n", x, steps<3, "n">>, input<"o", x, steps<3, "o">>,
          input<"p", x, steps<3, "p">>, node<"y", windows, "a">, output<"y">, output<"a">, output<"b">,
          output<"c">, output<"d">, output<"e">, output<"f">, output<"g">, output<"h">, output<"i">,
          output<"j">, output<"k">, output<"l">, output<"m">, output<"n">, output<"o">, output<"p">>;
static_assert(check<model>());
