// Sequences of vectors of another width than the input has features.
// expect(g++): input \'x\' takes rows of 8 numbers, got 3; mend the rows, or the features<> of the input
// expect(clang): "input \'x\' takes rows of 8 numbers,"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", gru<2>, "x">, output<"y.final">>;
#ifdef MISTAKE
constexpr int width = 3;
#else
constexpr int width = 8;
#endif
void use(trainer<model, losses::mse<"y.final">, optimizers::adam>& train,
         const std::vector<std::vector<std::array<float, width>>>& x,
         const std::vector<std::array<float, 2>>& targets) {
  fit(train, data_set(column<"x">(x), column<"target">(targets)), {.epochs = 3});
}
