// A run of a const stream.
// expect(g++): the session is const, and a run changes it
// expect(clang): the session is const, and a run changes it
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, input<"z", features<1>, steps<6>>,
                    node<"both", concatenate, "x", "z">, node<"states", gru<4>, "both">, output<"states">>;
#ifdef MISTAKE
void use(const streaming<model, block<8>>& live, const std::vector<float>& x) { live.run(x, x); }
#else
void use(streaming<model, block<8>>& live, const std::vector<float>& x) { live.run(x, x); }
#endif
