// A training session on weights that are rounded.
// expect(g++): bfloat16_weights are for inference; train on the backend without them
// expect(clang): "bfloat16_weights are for"
// expect(clang): "inference; train on the backend"
// expect(clang): "without them"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using G = graph<"g", input<"x", features<4>, steps<3>>, node<"y", lstm<8>, "x">, output<"y">>;

#ifdef MISTAKE
differentiation<G, void, on<backend::cpu_with<backend::bfloat16_weights>>> d;
#else
inference<G, on<backend::cpu_with<backend::bfloat16_weights>>> d;
#endif
