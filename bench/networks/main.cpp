// Whole networks, inference and training.
#include "networks/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  using bench::network;
  std::vector<bench::network_work> works;
  for (int batch : {1, 32, 128}) works.emplace_back(network::index_lookup, false, batch);
  for (int batch : {32, 128}) works.emplace_back(network::index_lookup, true, batch);
  works.emplace_back(network::surnames, true, 64);
  works.emplace_back(network::characters, true, 32);
  for (int hidden : {128, 256, 512, 1024}) works.emplace_back(network::stack, true, 32, hidden);
  return bench::compete(count, given, works);
}
