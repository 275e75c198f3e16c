// Weights in 16 bits, sums in double.
// expect(g++): weights stored as bfloat16 are computed with in float
// expect(clang): "weights stored as bfloat16 are"
// expect(clang): "computed with in float; leave out"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using G = graph<"g", input<"x", features<4>, steps<3>>, node<"y", lstm<8>, "x">, output<"y">>;

#ifdef MISTAKE
using number = double;
#else
using number = float;
#endif

void f(const parameters<G, number>& theta, view<const number> x) {
  inference<G, scalar_type<number>, on<backend::cpu_with<backend::bfloat16_weights>>> ask;
  ask(theta, x);
}
