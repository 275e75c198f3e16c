// Steps in braces.
// expect(g++): values in braces have no type
// expect(clang): values in braces have no type
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<2>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
#ifdef MISTAKE
void use(streaming<model, block<8>>& live) { live.run({1.0f, 2.0f}); }
#else
void use(streaming<model, block<8>>& live) { live.run(std::array{1.0f, 2.0f}); }
#endif
