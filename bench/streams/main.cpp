// What a stream in blocks costs, beside single steps, the whole sequence at once, and the same written by hand.
#include "streams/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  std::vector<bench::streams_work> works;
  for (int block : {1, 16, 64, 256}) works.emplace_back(block);
  return bench::compete(count, given, works);
}
