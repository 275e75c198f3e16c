// A long series of two numbers at each step, for an input of one.
// expect(g++): input \'x\' takes rows of 1 number, got 2; mend the rows, or the features<> of the input
// expect(clang): "input \'x\' takes rows of 1 number,"
// expect(clang): "got 2; mend the rows, or the"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<1>, steps<5>>, node<"states", gru<4>, "x">,
                    node<"y", linear<1>, "states">, output<"y">>;
using training = trainer<model, losses::mse<"y">, optimizers::adam, batch<8>>;
#ifdef MISTAKE
using one_step = std::array<float, 2>;
#else
using one_step = float;
#endif
void use(training& train, const std::vector<one_step>& series) {
  fit(train, contiguous<"x">(series), {.epochs = 3});
}
