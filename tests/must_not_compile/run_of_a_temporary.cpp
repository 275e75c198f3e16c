// Outputs of a stream that ends with the line.
// expect: the call returns are views into a session that ends with this line
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, input<"z", features<1>, steps<6>>,
                    node<"both", concatenate, "x", "z">, node<"states", gru<4>, "both">, output<"states">>;
#ifdef MISTAKE
void use(const parameters<model>& theta, const std::vector<float>& x) {
  auto y = streaming<model, block<8>>(theta).run(x, x);
}
#else
void use(const parameters<model>& theta, const std::vector<float>& x) {
  streaming<model, block<8>> live(theta);
  auto y = live.run(x, x);
  static_cast<void>(y);
}
#endif
