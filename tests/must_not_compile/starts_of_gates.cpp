// Three ways of starting in one stack of gates.
// expect(g++): node \'y\': the gates of \'y.bias_ih_l0\' start in too many ways; let all but some neighbours start alike, or leave out the equation\'s storage
// expect(clang): "\'y.bias_ih_l0\' start in too many"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
#define START_OF_G init::constant(2)
#else
#define START_OF_G init::constant(1)
#endif
struct cell : cells::lstm {
  static constexpr init::start starts[]{{"b_W", "f", init::constant(1)}, {"b_W", "g", START_OF_G}};
};
using layer = recurrent<cell, hidden<4>>;
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
