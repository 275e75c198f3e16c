// Trains, validates, infers and writes with a network that its library compiles.
#include "model.hpp"

#include <cstdio>

int main() {
  const letters::samples data = letters::samples_of({{0, 1, 2, 3}, {1, 2, 3, 4, 0}}, {{1, 2, 3, 4}, {2, 3, 4, 0, 1}});
  tenon::parameters<letters::model> theta(tenon::seed{1});
  letters::training train(theta, {.learning_rate = 1e-2});
  tenon::fit(train, data, {.epochs = 60, .validate = data, .metrics = {tenon::metric::accuracy{}}, .log = nullptr});
  tenon::set_input<"word">(train, std::vector<std::vector<int>>{{0, 1}, {2, 3}});
  tenon::set_input<"target">(train, std::vector<std::vector<int>>{{1, 2}, {3, 4}});
  train.step();
  const double accuracy = tenon::evaluate(train, data, {tenon::metric::accuracy{}}).metrics[0];
  letters::judging judge(theta);
  const auto logits = judge(std::vector<std::vector<int>>{{0, 1, 2}});
  letters::writing live(theta);
  auto write = tenon::generate<"word">(live, {.start = 0, .max_steps = 4, .choice = {.temperature = 0.1}});
  write();
  std::printf("accuracy %g, next %d, first written %d\n", accuracy, tenon::argmax(logits[0][2]), write.text()[0]);
  return accuracy == 1 && tenon::argmax(logits[0][2]) == 3 ? 0 : 1;
}
