// More sources than a node takes.
// expect(g++): node \'y\': a node takes at most 16 sources, got 17; join some of them in a node of their own
// expect(clang): "node \'y\': a node takes at most 16"
// expect(clang): "sources, got 17; join some of them"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/chain.hpp>

using namespace tenon;

struct sum_of_nine {
  static constexpr auto at(auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h, auto i) {
    return a + b + c + d + e + f + g + h + i;
  }
};
#ifdef MISTAKE
using model = graph<"model", input<"x", features<8>>,
                    node<"y", sum_of_nine, "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "x",
                         "x", "x", "x", "x">,
                    output<"y">>;
#else
using model = graph<"model", input<"x", features<8>>,
                    node<"y", sum_of_nine, "x", "x", "x", "x", "x", "x", "x", "x", "x">, output<"y">>;
#endif
static_assert(check<model>());
