// shard_owners: which rank has which shards of a batch, and which additions of the tree of sums it can do by itself.
#pragma once

#include "tenon/distribute/sum_tree.hpp"

namespace tenon::inline v0_1::distribute {

// Rank r has the shards from first(r) to before first(r + 1), and the slices of the same numbers.
struct shard_owners {
  int shards = 1, ranks = 1;

  constexpr int first(int rank) const { return static_cast<int>(long{shards} * rank / ranks); }
  constexpr int owner(int shard) const {
    int rank = static_cast<int>((long{shard} * ranks) / shards);
    while (first(rank + 1) <= shard) ++rank;
    return rank;
  }
  // Of the tree over `count` shards: does one rank have all of them that are below the addition of these two places?
  constexpr bool is_local(int count, int k, int other) const {
    const int past = other + (other - k), end = past < count ? past : count;
    return owner(k) == owner(end - 1);
  }
  // Calls add(k, other) for the additions that a rank does before it sends anything, and those that are left for the owners of slices.
  template <class Add>
  constexpr void each_addition_of(int rank, int count, Add add) const {
    each_addition(count, [&](int k, int other) {
      if (owner(k) == rank && is_local(count, k, other)) add(k, other);
    });
  }
  template <class Add>
  constexpr void each_addition_left(int count, Add add) const {
    each_addition(count, [&](int k, int other) {
      if (!is_local(count, k, other)) add(k, other);
    });
  }
  // After its own additions, does the owner of this shard still have its sum?
  constexpr bool is_sent(int count, int shard) const {
    const int apart = shard & -shard;
    return shard == 0 || !is_local(count, shard - apart, shard);
  }
};

}  // namespace tenon::inline v0_1::distribute
