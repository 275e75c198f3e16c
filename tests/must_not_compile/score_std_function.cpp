// A function of std:: in a score.
// expect(g++): node \'context\': the score cannot be evaluated at compile time; declare it constexpr, write tanh(x) for std::tanh(x), and select(c, x, y) for if
// expect(clang): "node \'context\': the score cannot"
// expect(clang): "be evaluated at compile time;"
// expect(clang): "declare it constexpr, write"
// expect(clang): "tanh(x) for std::tanh(x), and"
// expect(clang): "select(c, x, y) for if"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::nn;

struct own {
#ifdef MISTAKE
  static constexpr auto score(auto s, auto h) { return std::exp(dot(s, h)); }
#else
  static constexpr auto score(auto s, auto h) { return exp(dot(s, h)); }
#endif
};
using model = graph<"model", input<"query", features<8>>, input<"states", features<8>, steps<6>>,
                    node<"context", attention<own>, "query", "states">, output<"context">>;
static_assert(check<model>());
