// The name of a gate beyond the room for it.
// expect(g++): node \'y\': the name of a symbol has more than 23 letters: \'what_is_kept_of_the_last_step\'; shorten it
// expect(clang): "node \'y\': the name of a symbol has"
// expect(clang): "more than 23 letters:"
// expect(clang): "\'what_is_kept_of_the_last_step\';"
// expect(clang): "shorten it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
#ifdef MISTAKE
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"what_is_kept_of_the_last_step">(x) + U<"h">(h));
  }
#else
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"kept">(x) + U<"h">(h));
  }
#endif
};
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
