// The steps of several rows in a flat range.
// expect(g++): a flat range is given, and the stream has several rows
// expect(clang): "and the stream has several rows;"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, input<"z", features<1>, steps<6>>,
                    node<"both", concatenate, "x", "z">, node<"states", gru<4>, "both">, output<"states">>;
#ifdef MISTAKE
void use(streaming<model, batch<2>, block<8>>& live, const std::vector<float>& x) { live.run(x, x); }
#else
void use(streaming<model, block<8>>& live, const std::vector<float>& x) { live.run(x, x); }
#endif
