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
  slice_sums(const any_communicator& world, int shards) : world_(world), owners_{shards, world.size()} {
    const auto ranks = static_cast<std::size_t>(world.size());
    begin_sent_.resize(ranks + 1);
    begin_received_.resize(ranks + 1);
    places_.resize(static_cast<std::size_t>(shards));
  }

  // The sum over the first `count` shards. blocks[k] is the block of shard k, for the shards of this rank, and changes. The slices of rank r
  // are from start(r) to before start(r + 1); the sum of this rank's ends in `to`, which may be one of these blocks.
  //   each(from, end, f) calls f(first, count) for the pieces of a range that are summed, the same ones on all ranks
  //   add(count, from, to) adds from[i] to to[i]
  template <class Start, class Each, class Add>
  void sum(int count, T* const* blocks, T* to, Start start, Each each, Add add) {
    const int me = world_.rank(), ranks = world_.size(), begin = owners_.first(me),
              end = owners_.first(me + 1);
    owners_.each_addition_of(me, count, [&](int k, int other) {
      each(start(0), start(ranks), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
        add(some, blocks[other] + first, blocks[k] + first);
      });
    });
    // What this rank sends to the owner of some slices: the sums that it has, one after the other.
    sent_.clear();
    for (int rank = 0; rank < ranks; ++rank) {
      begin_sent_[at(rank)] = sent_.size() * sizeof(T);
      if (rank == me) continue;
      for (int k = begin; k < end && k < count; ++k)
        if (owners_.is_sent(count, k))
          each(start(rank), start(rank + 1), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
            sent_.insert(sent_.end(), blocks[k] + first, blocks[k] + first + some);
          });
    }
    begin_sent_.back() = sent_.size() * sizeof(T);
    std::size_t mine = 0, received = 0;
    each(start(me), start(me + 1), [&](std::ptrdiff_t, std::ptrdiff_t some) { mine += at(some); });
    for (int rank = 0; rank < ranks; ++rank) {
      begin_received_[at(rank)] = received * sizeof(T);
      for (int k = owners_.first(rank); k < owners_.first(rank + 1) && k < count; ++k)
        if (rank != me && owners_.is_sent(count, k)) {
          places_[at(k)] = {nullptr, received};
          received += mine;
        } else if (rank == me) {
          places_[at(k)] = {blocks[k], 0};
        }
    }
    begin_received_.back() = received * sizeof(T);
    received_.resize(received);
    world_.exchange({reinterpret_cast<std::byte*>(sent_.data()), begin_sent_.data()},
                    {reinterpret_cast<std::byte*>(received_.data()), begin_received_.data()});
    owners_.each_addition_left(count, [&](int k, int other) {
      std::size_t passed = 0;
      each(start(me), start(me + 1), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
        add(some, numbers_of(other, first, passed), numbers_of(k, first, passed));
        passed += at(some);
      });
    });
    if (count == 0 || places_[0].block == to) return;
    std::size_t passed = 0;
    each(start(me), start(me + 1), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
      std::copy_n(numbers_of(0, first, passed), some, to + first);
      passed += at(some);
    });
  }

 private:
  // Where the sum of a shard is, in the slices of this rank: in its block, or as it was received, from a number on.
  struct place {
    T* block = nullptr;
    std::size_t received = 0;
  };
  static std::size_t at(std::ptrdiff_t k) { return static_cast<std::size_t>(k); }
  T* numbers_of(int shard, std::ptrdiff_t first, std::size_t passed) {
    const place& sum = places_[at(shard)];
    return sum.block != nullptr ? sum.block + first : received_.data() + sum.received + passed;
  }

  any_communicator world_;
  shard_owners owners_;
  std::vector<std::size_t> begin_sent_, begin_received_;
  std::vector<T> sent_, received_;
  std::vector<place> places_;  // by shard
};

}  // namespace tenon::distribute
