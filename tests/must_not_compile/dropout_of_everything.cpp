// All of a state dropped, in a cell.
// expect(g++): node \'y\': dropout<rate>(x) needs a rate from 0 to below 1 from \'state 0\'; write the share of zeros: dropout<0.5>(x)
// expect(clang): "node \'y\': dropout<rate>(x) needs a"
// expect(clang): "rate from 0 to below 1 from \'state"
// expect(clang): "0\'; write the share of zeros:"
// expect(clang): "dropout<0.5>(x); 1/2 is the whole"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
constexpr double share = 1;
#else
constexpr double share = 0.5;
#endif
struct cell : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return tanh(W<>(x) + U<>(dropout<share>(h)));
  }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", recurrent<cell, hidden<4>>, "x">,
                    output<"y">>;
static_assert(check<model>());
