// Weights in 8 bits and in 16.
// expect(g++): int8_weights and bfloat16_weights both say how weights are stored; leave one of them out
// expect(clang): "int8_weights and bfloat16_weights"
// expect(clang): "both say how weights are stored;"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using G = graph<"g", input<"x", features<4>, steps<3>>, node<"y", lstm<8>, "x">, output<"y">>;

#ifdef MISTAKE
using tag = backend::cpu_with<backend::int8_weights, backend::bfloat16_weights>;
#else
using tag = backend::cpu_with<backend::int8_weights, backend::fast_math>;
#endif

inference<G, on<tag>> ask;
