// Layers that are bound by memory or by exponentials.
#include "layers/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  using bench::layer;
  std::vector<bench::layer_work> works;
  for (int batch : {1, 32})
    for (bool backward : {false, true}) works.emplace_back(layer::cross_entropy, backward, batch);
  for (bool backward : {false, true}) works.emplace_back(layer::embedding, backward, 32);
  for (int steps : {10, 50, 200})
    for (bool backward : {false, true}) works.emplace_back(layer::attention, backward, 32, steps);
  return bench::compete(count, given, works);
}
