// A training session on weights of 8 bits.
// expect(g++): int8_weights are for inference; train on the backend without them
// expect(clang): "int8_weights are for inference;"
// expect(clang): "train on the backend without them"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using G = graph<"g", input<"x", features<4>, steps<3>>, node<"y", lstm<8>, "x">, output<"y">>;

#ifdef MISTAKE
differentiation<G, void, on<backend::cpu_with<backend::int8_weights>>> d;
#else
inference<G, on<backend::cpu_with<backend::int8_weights>>> d;
#endif
