// Scores without what is hidden of them.
// expect(g++): node \'y\': masked takes 2 values, got 1; write masked(scores, is_hidden)
// expect(clang): "node \'y\': masked takes 2 values,"
// expect(clang): "got 1; write masked(scores,"
// expect(clang): "is_hidden)"
#include <tenon/graph/graph.hpp>

using namespace tenon;

struct own : equations::symbols {
  static constexpr auto at(auto x) {
#ifdef MISTAKE
    return softmax<"time">(masked(x));
#else
    return softmax<"time">(masked(x, greater(0, x)));
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<4>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
