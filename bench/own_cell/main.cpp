// What an equation costs: a user's cell against the same cell written by hand.
#include "own_cell/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  std::vector<bench::own_cell_work> works;
  for (int steps : {1, 32})
    for (int n : {8, 16, 32, 64, 128, 256}) works.emplace_back(n, steps);
  return bench::compete(count, given, works);
}
