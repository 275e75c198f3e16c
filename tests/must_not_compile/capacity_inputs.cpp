// More inputs than a graph has room for.
// expect(g++): node \'q\': the graph has more than 16 inputs; compile all files with -DTENON_ROOM_OF_GRAPHS=2
// expect(clang): "node \'q\': the graph has more than"
// expect(clang): "16 inputs; compile all files with"
// expect(clang): "-DTENON_ROOM_OF_GRAPHS=2"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
using model =
    graph<"model", input<"a", features<1>>, input<"b", features<1>>, input<"c", features<1>>,
          input<"d", features<1>>, input<"e", features<1>>, input<"f", features<1>>, input<"g", features<1>>,
          input<"h", features<1>>, input<"i", features<1>>, input<"j", features<1>>, input<"k", features<1>>,
          input<"l", features<1>>, input<"m", features<1>>, input<"n", features<1>>, input<"o", features<1>>,
          input<"p", features<1>>, input<"q", features<1>>, output<"a">, output<"b">, output<"c">,
          output<"d">, output<"e">, output<"f">, output<"g">, output<"h">, output<"i">, output<"j">,
          output<"k">, output<"l">, output<"m">, output<"n">, output<"o">, output<"p">, output<"q">>;
#else
using model =
    graph<"model", input<"a", features<1>>, input<"b", features<1>>, input<"c", features<1>>,
          input<"d", features<1>>, input<"e", features<1>>, input<"f", features<1>>, input<"g", features<1>>,
          input<"h", features<1>>, input<"i", features<1>>, input<"j", features<1>>, input<"k", features<1>>,
          input<"l", features<1>>, input<"m", features<1>>, input<"n", features<1>>, input<"o", features<1>>,
          input<"p", features<1>>, output<"a">, output<"b">, output<"c">, output<"d">, output<"e">,
          output<"f">, output<"g">, output<"h">, output<"i">, output<"j">, output<"k">, output<"l">,
          output<"m">, output<"n">, output<"o">, output<"p">>;
#endif
static_assert(check<model>());
