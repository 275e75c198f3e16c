// Weights in 16 bits, sums in double.
// expect(g++): bfloat16_weights are for float; leave out scalar_type<double>, or bfloat16_weights
// expect(clang): "bfloat16_weights are for float;"
// expect(clang): "leave out scalar_type<double>, or"
// expect(clang): "bfloat16_weights"
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
