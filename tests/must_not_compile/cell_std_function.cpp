// A function of std:: in a cell.
// expect(g++): node \'y\': the cell\'s step cannot be evaluated at compile time; declare it constexpr, write tanh(x) for std::tanh(x), and select(c, x, y) for if
// expect(clang): "node \'y\': the cell\'s step cannot"
// expect(clang): "be evaluated at compile time;"
// expect(clang): "declare it constexpr, write"
// expect(clang): "tanh(x) for std::tanh(x), and"
// expect(clang): "select(c, x, y) for if"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::nn;

struct own : equations::symbols {
#ifdef MISTAKE
  static constexpr auto step(auto x, auto h) {
    return std::tanh(W<"x">(x) + U<"h">(h));
  }
#else
  static constexpr auto step(auto x, auto h) {
    return tanh(W<"x">(x) + U<"h">(h));
  }
#endif
};
using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<own, hidden<4>>, "x">, output<"y">>;
static_assert(check<model>());
