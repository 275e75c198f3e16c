// Attention, a transformer's block, a decoder that attends, convolutions.
#include "sequences/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  using bench::layer;
  std::vector<bench::sequence_work> works;
  const auto both = [&](layer what, int width, int steps, int batch) {
    for (bool backward : {false, true}) works.emplace_back(what, backward, width, steps, batch);
  };
  for (int width : {64, 256})
    for (int batch : {1, 32})
      for (int steps : {16, 64, 256}) both(layer::multi_head, width, steps, batch);
  both(layer::encoder, 128, 32, 32);
  both(layer::encoder, 512, 64, 8);
  for (int units : {64, 256}) both(layer::decoder, units, 20, 32);
  for (int width : {3, 5}) both(layer::conv1d, width, 32, 32);
  both(layer::conv2d, 3, bench::sequence_work::side, 32);
  return bench::compete(count, given, works);
}
