// Which shards a rank has, and which additions of the tree it can do before it hears of others.
#include "tenon/distribute/shard_owners.hpp"

#include "tenon/distribute/sum_tree.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>

namespace tenon::test {

TEST_CASE("each shard has one owner, and each rank at least one shard") {
  for (int shards = 1; shards <= 20; ++shards)
    for (int ranks = 1; ranks <= shards; ++ranks) {
      const distribute::shard_owners owners{shards, ranks};
      CHECK(owners.first(0) == 0);
      CHECK(owners.first(ranks) == shards);
      for (int rank = 0; rank < ranks; ++rank) {
        CHECK(owners.first(rank) < owners.first(rank + 1));
        for (int k = owners.first(rank); k < owners.first(rank + 1); ++k) CHECK(owners.owner(k) == rank);
      }
    }
}

// An addition is local if all shards below it have one owner. Written as sets: the shards below a place grow by those of the other one.
TEST_CASE(
    "each addition of the tree is done once: by the rank that has all that is below it, or by the owners of "
    "slices") {
  for (int shards : {1, 2, 3, 4, 6, 8, 12, 16})
    for (int ranks = 1; ranks <= shards; ++ranks)
      for (int count = 1; count <= shards; ++count) {
        CAPTURE(shards);
        CAPTURE(ranks);
        CAPTURE(count);
        const distribute::shard_owners owners{shards, ranks};
        std::set<int> below[16];
        for (int k = 0; k < count; ++k) below[k] = {k};
        std::set<std::pair<int, int>> local[16], left;
        std::set<int> taken;  // whose sum is in another place of the same rank
        distribute::each_addition(count, [&](int k, int other) {
          below[k].merge(below[other]);
          std::set<int> who;
          for (const int shard : below[k]) who.insert(owners.owner(shard));
          if (who.size() == 1) {
            local[*who.begin()].insert({k, other});
            taken.insert(other);
          } else {
            left.insert({k, other});
          }
        });
        std::set<std::pair<int, int>> seen;
        owners.each_addition_left(count, [&](int k, int other) { seen.insert({k, other}); });
        CHECK((seen == left));
        for (int rank = 0; rank < ranks; ++rank) {
          seen.clear();
          owners.each_addition_of(rank, count, [&](int k, int other) { seen.insert({k, other}); });
          CHECK((seen == local[rank]));
        }
        for (int k = 0; k < count; ++k) CHECK(owners.is_sent(count, k) == (taken.count(k) == 0));
      }
}

}  // namespace tenon::test
