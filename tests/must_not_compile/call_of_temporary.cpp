// The outputs of a session without a name, kept.
// expect(g++): what the call returns are views into a session that ends with this line; give the session a name: inference<graph> model(theta);
// expect(clang): what the call returns are views into a session that ends with this line; give the session a name: inference<graph> model(theta);
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
float use(const parameters<model>& theta, const std::vector<float>& x) {
#ifdef MISTAKE
  const auto y = inference<model>(theta)(x);
#else
  inference<model> run(theta);
  const auto y = run(x);
#endif
  return y(0, 0);
}
