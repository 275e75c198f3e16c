// A tolerance that check_gradients does not have.
// expect(g++): check_gradients<model, losses::mse<\"y\">, 4>(feed, seed{1}, 0, {.relative = 1e-3}): .step, .absolute, .relative
// expect(clang): check_gradients<model, losses::mse<"y">, 4>(feed, seed{1}, 0, {.relative = 1e-3}): .step, .absolute, .relative
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
reports::gradients report() {
  const auto feed = [](auto&) {};
#ifdef MISTAKE
  return check_gradients<model, losses::mse<"y">, 4>(feed, seed{1}, 0, {.rtol = 1e-3});
#else
  return check_gradients<model, losses::mse<"y">, 4>(feed, seed{1}, 0, {.relative = 1e-3});
#endif
}
