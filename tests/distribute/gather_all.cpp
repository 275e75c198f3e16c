// What every rank has, on every rank, in their order; and that ranks are alike where they must be.
#include "tenon/distribute/gather_all.hpp"

#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {

TEST_CASE("numbers of all ranks come in the order of the ranks, as many as each has") {
  CHECK(distribute::gather_all({}, std::vector<int>{3, 4}) == std::vector<int>{3, 4});
  distribute::in_process::run(4, [](distribute::in_process& world) {
    std::vector<double> mine;
    for (int k = 0; k < 2 * world.rank() % 5; ++k) mine.push_back(10 * world.rank() + k);  // 0, 2, 4 and 1
    CHECK(distribute::gather_all(distribute::any_communicator(world), mine) ==
          std::vector<double>{10, 11, 20, 21, 22, 23, 30});
    CHECK(distribute::gather_all(distribute::any_communicator(world), std::vector<char>{}).empty());
  });
}

}  // namespace tenon::test
