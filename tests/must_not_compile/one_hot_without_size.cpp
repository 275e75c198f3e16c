// A token as a row, without saying how wide.
// expect(g++): node \'y\': one_hot takes 2 values, got 1; write one_hot<10>(token), or one_hot(token, like)
// expect(clang): "node \'y\': one_hot takes 2 values,"
// expect(clang): "got 1; write one_hot<10>(token),"
// expect(clang): "or one_hot(token, like)"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
  static constexpr auto step(auto x, auto h) {
#ifdef MISTAKE
    return tanh(W<"x">(one_hot(x)) + U<"h">(h));
#else
    return tanh(W<"x">(one_hot<10>(x)) + U<"h">(h));
#endif
  }
};
using model =
    graph<"model", input<"x", token<10>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
