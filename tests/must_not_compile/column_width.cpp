// A target column of another width than the output, where its type settles the width.
// expect(g++): input \'target\' takes rows of 2 numbers, got 1; a target is as wide as its output
// expect(clang): "input \'target\' takes rows of 2"
// expect(clang): "numbers, got 1; a target is as"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
using target = float;
#else
using target = std::array<float, 2>;
#endif
void use(trainer<model, losses::mse<"y">, optimizers::adam>& train,
         const std::vector<std::array<float, 8>>& x, const std::vector<target>& targets) {
  fit(train, data_set(column<"x">(x), column<"target">(targets)), {.epochs = 3});
}
