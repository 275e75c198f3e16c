// A gradient that is longer than a program, from the adjoints of a caller: there is no objective, and its backward has to fit as well.
// expect(g++): node \'y\': the equation and its gradient have more than 512 instructions; make two nodes of it
// expect(clang): "node \'y\': the equation and its"
// expect(clang): "gradient have more than 512"
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
constexpr int terms = 40;
#else
constexpr int terms = 12;
#endif
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    auto y = W<>(x);
    for (int k = 0; k < terms; ++k) y = y + tanh(y * (k + 2)) * sigmoid(x + k);
    return y;
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
void use(differentiation<model>& run, const parameters<model>& theta, parameters<model>& gradients,
         const view<const float>& x, const view<const float>& adjoint) {
  set_input<"x">(run, x);
  run.forward(theta);
  output_adjoint<"y">(run)(0, 0) = get<"y">(run)(0, 0);
  run.backward(theta, gradients, adjoint);
  run.backward(theta, gradients);
}
