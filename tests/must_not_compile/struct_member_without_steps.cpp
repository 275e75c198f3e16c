// A state in the struct of a step.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'h0\' of \'frame\': input \'h0\' has no steps; set it before: set_input<\"h0\">(live, value)
// expect(clang): "member \'h0\' of \'frame\': input \'h0\'"
// expect(clang): "has no steps; set it before:"
// expect(clang): "set_input<\"h0\">(live, value)"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct frame {
  std::array<float, 2> x;
  std::array<float, 3> h0;
};
BOOST_HANA_ADAPT_STRUCT(frame, x, h0);
#else
struct frame {
  std::array<float, 2> x;
};
BOOST_HANA_ADAPT_STRUCT(frame, x);
#endif
using flow = graph<"flow", input<"x", features<2>, steps<8>>, input<"h0", features<3>>,
                   node<"states", gru<3>, "x", "h0">, output<"states">>;
auto use(streaming<flow>& live, const frame& now) { return live.step(now); }
