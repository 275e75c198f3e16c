// Steps of a sequence and of its windows do not meet.
// expect(g++): node \'y\': the sources have different time axes from \'w\'; combine the sequences by attention
// expect(clang): "node \'y\': the sources have"
// expect(clang): "different time axes from \'w\';"
// expect(clang): "combine the sequences by attention"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = unfold<3>;
#else
using layer = unfold<3, same_padding>;
#endif
struct both {
  static constexpr auto at(auto x, auto w) { return sum(x) + sum(w); }
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"w", layer, "x">,
                    node<"y", both, "x", "w">, output<"y">>;
static_assert(check<model>());
