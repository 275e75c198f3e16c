// Classes given to a loss of numbers.
// expect(g++): input \'target\': sequences of tokens are given, it takes numbers; give a tensor [batch, 2]
// expect(clang): "input \'target\': sequences of"
// expect(clang): "tokens are given, it takes"
// expect(clang): "numbers; give a tensor [batch, 2]"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<2>, "x">, output<"y">>;
void use(parameters<model>& theta, [[maybe_unused]] const std::vector<int>& classes,
         [[maybe_unused]] const std::vector<float>& numbers) {
  trainer<model, mse<"y">, sgd> train(theta);
#ifdef MISTAKE
  set_input<"target">(train, std::vector<std::vector<int>>{classes});
#else
  set_input<"target">(train, numbers);
#endif
  train.step();
}
