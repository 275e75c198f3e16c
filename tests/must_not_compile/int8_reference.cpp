// Weights in 8 bits on a backend that has no such products.
// expect(g++): int8_weights are for the CPU backend; write cpu_with<int8_weights>, or leave them out
// expect(clang): "int8_weights are for the CPU"
// expect(clang): "backend; write"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using G = graph<"g", input<"x", features<4>, steps<3>>, node<"y", lstm<8>, "x">, output<"y">>;

#ifdef MISTAKE
struct tag : backend::reference, backend::int8_weights {};
#else
struct tag : backend::cpu, backend::int8_weights {};
#endif

inference<G, on<tag>> ask;
