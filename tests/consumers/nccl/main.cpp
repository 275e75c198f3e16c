#include <tenon/distribute/alone.hpp>
#include <tenon/distribute/nccl.hpp>

#include <cstdio>

int main() {
  tenon::distribute::alone ranks;
  const tenon::distribute::nccl world(ranks);
  std::printf("rank %d of %d\n", world.rank(), world.size());
}
