// A tensor of rank 1 as the target of an output of two features: of one feature it is a range of numbers.
// expect(g++): input \'target\' takes 2 dimensions, got 1; give a tensor [batch, 2]
// expect(clang): "input \'target\' takes 2 dimensions,"
// expect(clang): "got 1; give a tensor [batch, 2]"
#include <tenon/tenon.hpp>
#include <tenon/tensor/xtensor.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
using target = xt::xtensor<float, 1>;
#else
using target = xt::xtensor<float, 2>;
#endif
void use(trainer<model, losses::mse<"y">, optimizers::adam>& train,
         const std::vector<std::array<float, 8>>& x, const target& targets) {
  fit(train, data_set(column<"x">(x), column<"target">(targets)), {.epochs = 3});
}
