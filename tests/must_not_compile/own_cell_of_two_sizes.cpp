// In a cell of one's own, x where the state is meant, of another size: said once, whatever is done with the graph.
// expect(g++): node \'states\': elementwise operands differ: 16 features, got 8 from \'+(...)\'; make both the same size, or one of size 1
// expect(clang): "node \'states\': elementwise"
// expect(clang): "operands differ: 16 features, got"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

struct leaky : equations::symbols {
  static constexpr auto step([[maybe_unused]] auto x, auto h) {
    const auto f = sigmoid(W<"f">(x) + U<"f">(h) + b<"f">);
#ifdef MISTAKE
    return f * h + (1 - f) * x;
#else
    return f * h + (1 - f) * tanh(W<"h">(x));
#endif
  }
};
using model = graph<"model", input<"x", features<8>, steps<20>>, node<"states", recurrent<leaky, hidden<16>>, "x">,
                    node<"y", linear<1>, "states.final">, output<"y">>;
void use(const std::vector<std::vector<std::array<float, 8>>>& x, const std::vector<float>& y) {
  parameters<model> theta;
  trainer<model, losses::mse<"y">, optimizers::adam, batch<4>> learner(theta);
  const auto data = data_set(column<"x">(x), column<"target">(y));
  fit(learner, data, {.epochs = 2, .validate = data, .metrics = {metric::r_squared{}}});
}
