// An update rule that holds a list, which no checkpoint knows how to save.
// expect(g++): update rule \'own_rule\' cannot be saved, as it holds more than its bytes; give it std::vector<double> state() const and restore(numbers)
// expect(clang): "update rule \'own_rule\' cannot be
#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints/trainer_checkpoint.hpp>

#include <array>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

struct own_rule {
  std::vector<double> rates{0.1, 0.2};
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
  std::array<double, 1> constants(long) const { return {rates[0]}; }
#ifndef MISTAKE
  std::vector<double> state() const { return rates; }
  void restore(const std::vector<double>& numbers) { rates = numbers; }
#endif
};
using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(trainer<model, losses::mse<"y">, own_rule>& train, const std::string& path) {
  io::save_checkpoint(train, path);
}
