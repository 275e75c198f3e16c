// A step of a trainer with its inputs in braces.
// expect(g++): step takes nothing; give the inputs and the target before it: set_input<\"name\">(trainer, value)
// expect(clang): error: step takes nothing; give the inputs and the target before it: set_input<"name">(trainer, value)
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(trainer<model, losses::mse<"y">, optimizers::adam>& train, const std::vector<float>& x) {
#ifdef MISTAKE
  train.step({x, x});
#else
  set_input<"x">(train, x);
  train.step();
#endif
}
