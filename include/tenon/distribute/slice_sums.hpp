// slice_sums: sums of blocks over the shards of all ranks, along the tree; each rank gets those of its own slices.
#pragma once

#include "tenon/distribute/any_communicator.hpp"
#include "tenon/distribute/shard_owners.hpp"
#include "tenon/distribute/sum_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tenon::distribute {

template <class T>
class slice_sums {
 public:
  slice_sums(const any_communicator& world, const block_slices& slices)
      : world_(world), slices_(slices), owners_{slices.count, world.size()} {
    const auto ranks = static_cast<std::size_t>(world.size());
    begin_sent_.resize(ranks + 1);
    begin_received_.resize(ranks + 1);
    places_.resize(static_cast<std::size_t>(slices.count));
  }

  // The sum over the first `count` shards, where add(numbers, from, to) adds to[i] += from[i]. blocks[k] is the block of shard k, for the
  // shards of this rank, and changes. The sum of this rank's slices ends in `to`, which may be one of these blocks.
  template <class Add>
  void sum(int count, T* const* blocks, T* to, Add add) {
    const int me = world_.rank(), begin = owners_.first(me), end = owners_.first(me + 1);
    owners_.each_addition_of(me, count,
                             [&](int k, int other) { add(slices_.size, blocks[other], blocks[k]); });
    // What this rank sends to the owner of some slices: the sums that it has, one after the other.
    sent_.clear();
    for (int rank = 0; rank < world_.size(); ++rank) {
      begin_sent_[at(rank)] = sent_.size() * sizeof(T);
      if (rank == me) continue;
      for (int k = begin; k < end && k < count; ++k)
        if (owners_.is_sent(count, k))
          sent_.insert(sent_.end(), blocks[k] + start(rank), blocks[k] + start(rank + 1));
    }
    begin_sent_.back() = sent_.size() * sizeof(T);
    const std::ptrdiff_t mine = start(me + 1) - start(me);
    std::size_t received = 0;
    for (int rank = 0; rank < world_.size(); ++rank) {
      begin_received_[at(rank)] = received * sizeof(T);
      for (int k = owners_.first(rank); k < owners_.first(rank + 1) && k < count; ++k)
        if (rank == me) places_[at(k)] = blocks[k] + start(me);
        else if (owners_.is_sent(count, k)) received += static_cast<std::size_t>(mine);
    }
    begin_received_.back() = received * sizeof(T);
    received_.resize(received);
    T* place = received_.data();
    for (int k = 0; k < count; ++k)
      if (owners_.owner(k) != me && owners_.is_sent(count, k)) {
        places_[at(k)] = place;
        place += mine;
      }
    world_.exchange({reinterpret_cast<std::byte*>(sent_.data()), begin_sent_.data()},
                    {reinterpret_cast<std::byte*>(received_.data()), begin_received_.data()});
    owners_.each_addition_left(count,
                               [&](int k, int other) { add(mine, places_[at(other)], places_[at(k)]); });
    if (count > 0 && places_[0] != to + start(me)) std::copy_n(places_[0], mine, to + start(me));
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  std::ptrdiff_t start(int rank) const { return slices_.begin(owners_.first(rank)); }

  any_communicator world_;
  block_slices slices_;
  shard_owners owners_;
  std::vector<std::size_t> begin_sent_, begin_received_;
  std::vector<T> sent_, received_;
  std::vector<T*> places_;  // of the sums of shards, in the slices of this rank
};

}  // namespace tenon::distribute
