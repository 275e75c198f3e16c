// A function of std:: in an update rule.
// expect(g++): update rule \'own\' cannot be evaluated at compile time; declare it constexpr, write tanh(x) for std::tanh(x), and select(c, x, y) for if
// expect(clang): "update rule \'own\' cannot be"
// expect(clang): "evaluated at compile time; declare"
// expect(clang): "it constexpr, write tanh(x) for"
// expect(clang): "std::tanh(x), and select(c, x, y)"
// expect(clang): "for if"
#include <tenon/tenon.hpp>

#include <array>
#include <cmath>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
struct own {
  double rate = 0.1;
  static constexpr int states = 0;
#ifdef MISTAKE
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g / std::abs(g)); }
#else
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g / abs(g)); }
#endif
  std::array<double, 1> constants(long) const { return {rate}; }
};
void use(trainer<model, losses::cross_entropy<"logits">, own>& train) { train.step(); }
