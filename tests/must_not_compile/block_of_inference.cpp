// A whole run in blocks.
// expect(g++): block<16> is for a stream; leave it out
// expect(clang): "block<16> is for a stream; leave"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, input<"z", features<1>, steps<6>>,
                    node<"both", concatenate, "x", "z">, node<"states", gru<4>, "both">, output<"states">>;
#ifdef MISTAKE
inference<model, block<16>>* whole;
void use() { whole->run(); }
#else
streaming<model, block<16>>* live;
void use() { live->reset(); }
#endif
