// The shards of a rank: each shard has one owner, and blocks are gathered by slices.
#include "tenon/distribute/shard_group.hpp"

#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

namespace tenon::test {

using distribute::in_process, distribute::any_communicator, distribute::shard_group;

TEST_CASE("each shard belongs to one rank, and each rank has some") {
  for (int shards : {1, 2, 5, 8, 13})
    for (int ranks = 1; ranks <= shards && ranks <= 6; ++ranks) {
      std::vector<std::atomic<int>> owners(static_cast<std::size_t>(shards));
      in_process::run(ranks, [&](in_process& world) {
        const shard_group mine(any_communicator(world), shards);
        CHECK(mine.size() > 0);
        CHECK(mine.ranks() == ranks);
        for (int k = 0; k < shards; ++k)
          if (mine.has(k)) ++owners[static_cast<std::size_t>(k)];
        for (int used = 0; used <= shards; ++used) {
          int expected = 0;
          for (int k = 0; k < used; ++k) expected += mine.has(k) ? 1 : 0;
          CHECK(mine.used(used) == expected);
        }
      });
      for (const auto& count : owners) CHECK(count == 1);
    }
}
TEST_CASE("a block of slices is whole on every rank behind a gather") {
  in_process::run(3, [](in_process& world) {
    shard_group mine(any_communicator(world), 4);
    std::vector<float> block(40, -1);
    for (int k = 10 * mine.first(); k < 10 * mine.end(); ++k)
      block[static_cast<std::size_t>(k)] = static_cast<float>(k);
    mine.gather(block.data(), [](int slice) { return 10 * slice; });
    for (int k = 0; k < 40; ++k) CHECK(block[static_cast<std::size_t>(k)] == static_cast<float>(k));
  });
}
TEST_CASE("more ranks than shards are refused in a sentence") {
  in_process::run(3, [](in_process& world) {
    CHECK_THROWS_WITH_AS(
        shard_group(any_communicator(world), 2),
        "trainer: 3 ranks, and shards<2> cuts a batch into 2; start at most 2 ranks, or write "
        "shards<3>, which gives other bits",
        input_error);
  });
}

}  // namespace tenon::test
