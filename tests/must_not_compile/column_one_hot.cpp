// One-hot targets in a data set: said where the trainer and the data meet.
// expect(g++): input \'target\': sequences are given, it takes one token for each row; give a flat range of tokens
// expect(clang): "input \'target\': sequences are"
// expect(clang): "given, it takes one token for each"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
using target = std::array<int, 4>;
#else
using target = int;
#endif
void use(trainer<model, losses::cross_entropy<"y">, optimizers::adam>& train,
         const std::vector<std::array<float, 8>>& x, const std::vector<target>& targets) {
  fit(train, data_set(column<"x">(x), column<"target">(targets)), {.epochs = 3});
}
