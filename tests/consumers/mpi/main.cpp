#include <tenon/distribute/mpi.hpp>

#include <cstdio>

int main(int count, char** arguments) {
  tenon::distribute::mpi world(count, arguments);
  std::printf("rank %d of %d\n", world.rank(), world.size());
}
