// A view of the gradient of an input of a session without a name.
// expect(g++): gradient of input \'x\' is a view into a session that ends with this line; give the session a name: inference<graph> model;
// expect(clang): "gradient of input \'x\' is a view"
// expect(clang): "into a session that ends with this"
// expect(clang): "line; give the session a name:"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
using session_of = differentiation<model, losses::mse<"y">, input_gradients>;

float use() {
#ifdef MISTAKE
  const auto x = input_gradient<"x">(session_of{});
#else
  const session_of session;
  const auto x = input_gradient<"x">(session);
#endif
  return x(0, 0);
}
