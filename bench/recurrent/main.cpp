// A recurrent layer at batch 1, which shows a network's overhead. Sizes that are not multiples of vector widths are
// included on purpose.
#include "recurrent/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  std::vector<bench::recurrent_work> works;
  for (bench::cell kind : {bench::cell::lstm, bench::cell::gru})
    for (int steps : {1, 32})
      for (int n : {7, 8, 13, 16, 32, 33, 64, 100, 128, 256, 512}) works.emplace_back(kind, n, steps);
  return bench::compete(count, given, works);
}
