// A trial without a value.
// expect(g++): step takes 1 input, got 0
// expect(clang): "step takes 1 input, got 0; its"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
#ifdef MISTAKE
void use(streaming<model>& live) { live.try_step(); }
#else
void use(streaming<model>& live, const std::vector<float>& x) { live.try_step(x); }
#endif
