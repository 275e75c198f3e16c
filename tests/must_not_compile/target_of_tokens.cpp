// Classes given to a loss of numbers.
// expect(g++): input \'target\': whole numbers are given, which are tokens, and it takes numbers; give ranges of float, or a tensor [batch, 2]
// expect(clang): "input \'target\': whole numbers are"
// expect(clang): "given, which are tokens, and it"
// expect(clang): "takes numbers; give ranges of"
// expect(clang): "float, or a tensor [batch, 2]"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
void use(parameters<model>& theta, [[maybe_unused]] const std::vector<int>& classes,
         [[maybe_unused]] const std::vector<float>& numbers) {
  trainer<model, losses::mse<"y">, optimizers::sgd> train(theta);
#ifdef MISTAKE
  set_input<"target">(train, std::vector<std::vector<int>>{classes});
#else
  set_input<"target">(train, numbers);
#endif
  train.step();
}
