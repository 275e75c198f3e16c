// A block that no int counts.
// expect(g++): than an int counts: block takes at most
// expect(clang): "numbers than an int counts: block"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, input<"z", features<1>, steps<6>>,
                    node<"both", concatenate, "x", "z">, node<"states", gru<4>, "both">, output<"states">>;
#ifdef MISTAKE
streaming<model, batch<1000>, block<2'000'000>>* live;
void use() { live->reset(); }
#else
streaming<model, batch<1000>, block<2'000>>* live;
void use() { live->reset(); }
#endif
