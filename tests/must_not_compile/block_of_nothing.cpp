// A block without steps.
// expect: block<0> has no steps
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, input<"z", features<1>, steps<6>>,
                    node<"both", concatenate, "x", "z">, node<"states", gru<4>, "both">, output<"states">>;
#ifdef MISTAKE
streaming<model, block<0>>* live;
void use() { live->reset(); }
#else
streaming<model, block<1>>* live;
void use() { live->reset(); }
#endif
