// A checkpoint as an option of fit, without the header that reads and writes one.
// expect(g++): fit\'s option .checkpoint does not take \'checkpoint\'; write .checkpoint = checkpoint{\"run.ckpt\"}, with #include <tenon/train.hpp>
// expect(clang): "fit\'s option .checkpoint does not"
// expect(clang): #include <tenon/train.hpp>
// alone: which headers it includes is the mistake
#include <tenon/tenon.hpp>
#ifndef MISTAKE
#  include <tenon/train.hpp>
#endif

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(trainer<model, losses::mse<"y">, optimizers::adam>& train) {
  const auto data = data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                             column<"target">(9, [](int) { return std::array<float, 4>{}; }));
  fit(train, data, {.epochs = 3, .checkpoint = checkpoint{"run.ckpt"}});
}
