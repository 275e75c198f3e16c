// What the options for equal bits cost: docs/explain/equal-bits.md.
#include "equal_bits/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  std::vector<bench::equal_bits_work> works;
  for (bool backward : {false, true})
    for (int batch : {1, 32}) {
      for (int width : {32, 128, 512}) works.emplace_back(false, backward, width, batch);
      works.emplace_back(true, backward, 128, batch);
    }
  return bench::compete(count, given, works);
}
