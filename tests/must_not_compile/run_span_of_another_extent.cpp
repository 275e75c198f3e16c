// A span whose extent is no number of steps.
// expect(g++): input \'x\': a block has a multiple of its features, at most 16 numbers, got 18
// expect(clang): "of its features, at most 16"
#include <tenon/tenon.hpp>

#include <span>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<2>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
#ifdef MISTAKE
void use(streaming<model, block<8>>& live, std::span<const float, 18> x) { live.run(x); }
#else
void use(streaming<model, block<8>>& live, std::span<const float, 16> x) { live.run(x); }
#endif
