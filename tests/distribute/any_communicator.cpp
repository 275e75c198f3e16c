// A communicator of any type, and none.
#include "tenon/distribute/any_communicator.hpp"

#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::test {

static_assert(distribute::Communicator<distribute::any_communicator>);

namespace {

std::byte* bytes_of(std::vector<int>& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); }

}  // namespace

TEST_CASE("without a communicator there is one rank, which gets what it gives") {
  distribute::any_communicator world;
  CHECK(world.rank() == 0);
  CHECK(world.size() == 1);
  std::vector<int> given{3, 1, 4}, received(3);
  const std::size_t begin[]{0, 3 * sizeof(int)};
  world.exchange({bytes_of(given), begin}, {bytes_of(received), begin});
  CHECK((received == given));
  world.gather({bytes_of(given), begin});
  CHECK((received == given));
}

TEST_CASE("it calls the communicator that it stands for") {
  distribute::in_process::run(3, [](distribute::in_process& ranks) {
    distribute::any_communicator world(ranks);
    CHECK(world.rank() == ranks.rank());
    CHECK(world.size() == 3);
    std::vector<int> all(3);
    all[static_cast<std::size_t>(world.rank())] = 10 + world.rank();
    const std::size_t begin[]{0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int)};
    world.gather({bytes_of(all), begin});
    CHECK((all == std::vector<int>{10, 11, 12}));
    std::vector<int> received(3);
    world.exchange({bytes_of(all), begin}, {bytes_of(received), begin});
    CHECK((received == std::vector<int>(3, 10 + world.rank())));
  });
}

}  // namespace tenon::test
