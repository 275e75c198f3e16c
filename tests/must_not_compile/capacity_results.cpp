// More named results than an equation has.
// expect(g++): node \'y\': the equation has more than 16 results; make two nodes of it, or concat some of them
// expect(clang): "node \'y\': the equation has more"
// expect(clang): "than 16 results; make two nodes of"
#include <tenon/graph/graph.hpp>

using namespace tenon;

template <ir::text... Names>
struct several {
  static constexpr auto at(auto x) {
    ir::named_results all = with<"a">(x, x);
    ((all = with<Names>(all, tanh(x))), ...);
    return all;
  }
};
#ifdef MISTAKE
using layer = several<"b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p">;
#else
using layer = several<"b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o">;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
