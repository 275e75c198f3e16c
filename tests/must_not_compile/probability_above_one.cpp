// A probability of 2.
// expect(g++): node \'y\': bernoulli<probability>(x) needs a probability from 0 to 1; write the share of ones: bernoulli<0.5>(x)
// expect(clang): "node \'y\':"
// expect(clang): "bernoulli<probability>(x) needs a"
// expect(clang): "probability from 0 to 1; write the"
// expect(clang): "share of ones: bernoulli<0.5>(x);"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

#ifdef MISTAKE
constexpr double share = 2;
#else
constexpr double share = 0.5;
#endif
struct sometimes {
  static constexpr auto at(auto x) { return x * ir::bernoulli<share>(x); }
};
using model = graph<"model", input<"x", features<3>>, node<"y", sometimes, "x">, output<"y">>;
static_assert(check<model>());
