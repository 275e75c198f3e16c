// Steps of another width.
// expect(g++): takes rows of 2 numbers, got 3
// expect(clang): takes rows of 2 numbers
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, input<"z", features<1>, steps<6>>,
                    node<"both", concatenate, "x", "z">, node<"states", gru<4>, "both">, output<"states">>;
#ifdef MISTAKE
void use(streaming<model, block<8>>& live, const std::vector<std::array<float, 3>>& x,
         const std::vector<float>& z) {
  live.run(x, z);
}
#else
void use(streaming<model, block<8>>& live, const std::vector<std::array<float, 2>>& x,
         const std::vector<float>& z) {
  live.run(x, z);
}
#endif
