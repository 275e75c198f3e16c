// A start for a letter that the equation does not have.
// expect(g++): node \'y\': starts[] has the letter \'gian\', and the equation has not; did you mean \'gain\'?
// expect(clang): "\'gian\', and the equation has not;"
#include <tenon/graph/graph.hpp>

using namespace tenon;

#ifdef MISTAKE
#  define LETTER "gian"
#else
#  define LETTER "gain"
#endif
struct scaled : equations::symbols {
  static constexpr init::start starts[]{{LETTER, init::constant(1)}, {"shift", init::constant(0)}};
  static constexpr auto at(auto x) { return x * vector<"gain"> + vector<"shift">; }
};
using model = graph<"model", input<"x", features<3>>, node<"y", scaled, "x">, output<"y">>;
static_assert(check<model>());
